import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { BrowserContext, Page } from "playwright";
import { axeViolations } from "@/e2e/admin/support/axe";
import { closeContexts, openBrowser } from "@/e2e/support/browser";
import { askSharedServer, type SharedServer } from "@/e2e/support/shared-server";
import { NARROW, WIDE } from "@/e2e/support/documentation-pages";
import { PUBLIC_CODES } from "@/server/platform/errors";
import { UPSTREAM_CODES } from "@/server/adapters/whatsapp/outcomes";

let server: SharedServer;
let context: BrowserContext;
let page: Page;
beforeAll(async () => {
  server = await askSharedServer();
  const browser = await openBrowser();
  context = await browser.newContext({ viewport: WIDE });
  return () => closeContexts(browser);
});
beforeEach(async () => {
  page = await context.newPage();
  await page.goto(`${server.baseUrl}/docs/limits`);
});
afterAll(() => context.close());

/** Returns the links that the server finds, with the function that the box uses, too. */
async function search(query: string): Promise<readonly string[]> {
  const response = await fetch(
    `${server.baseUrl}/docs/search?${new URLSearchParams({ q: query }).toString()}`,
  );
  const [list = ""] = /<ol [^]*?<\/ol>/.exec(await response.text()) ?? [];
  return [...list.matchAll(/<a href="([^"]+)"/g)].map(([, href = ""]) => href);
}

const firstHref = async (query: string) => (await search(query))[0];

test("an error code, typed in full, is the first hit", async () => {
  expect(PUBLIC_CODES.length).toBeGreaterThan(40);
  for (const code of PUBLIC_CODES) expect(await firstHref(code)).toBe(`/docs/errors#${code}`);
});

test("one of WhatsApp's codes, typed in full, is the first hit", async () => {
  const codes = Object.keys(UPSTREAM_CODES);
  expect(codes).toContain("131026");
  for (const code of codes) expect(await firstHref(` ${code} `)).toBe(`/docs/errors#${code}`);
});

test("a question is answered, though no section has all of its words", async () => {
  expect((await search("how long is an upload kept")).slice(0, 3)).toContain("/docs/uploads#kept");
  expect((await search("what does 131047 mean")).slice(0, 3)).toContain("/docs/errors#131047");
});

test("an operation is found by its operationId, its path and its summary", async () => {
  const document = await (await fetch(`${server.baseUrl}/api/public/v1/openapi.json`)).json();
  const methods = Object.entries<Record<string, { operationId: string; summary: string }>>(document.paths);
  for (const [path, operations] of methods) {
    for (const { operationId, summary } of Object.values(operations)) {
      const href = `/docs/api#${operationId}`;
      expect(await firstHref(operationId)).toBe(href);
      expect(await firstHref(summary)).toBe(href);
      expect((await search(path)).slice(0, Object.keys(operations).length)).toContain(href);
      expect(await search(`/api/public/v1${path}`)).toContain(href);
    }
  }
});

test.each([
  ["retries", "/docs/webhooks#retries"],
  ["pgbouncer", "/docs/operating#pooler"],
  ["customer service wind", "/docs/messages#window"],
  ["idempotncy", "/docs/idempotency"],
  ["verifying", "/docs/webhooks/verifying"],
])("%s is found, though incomplete or misspelt", async (query, href) => {
  expect(await firstHref(query)).toBe(href);
});

test("nothing is found for no words, and for words that stand nowhere", async () => {
  expect(await search("  ")).toEqual([]);
  expect(await search("xylophone quartz")).toEqual([]);
});

const box = () => page.getByRole("combobox", { name: "Search the documentation" });
const options = () => page.getByRole("listbox", { name: "Results" }).getByRole("option");

test("the box is used by keyboard alone, says what it found, and opens the chosen result, also in a collapsed section", async () => {
  await page.keyboard.press("/");
  await page.keyboard.type("131026");
  await options().first().waitFor();
  expect(await page.getByRole("status").textContent()).toBe(`${await options().count()} results`);
  expect(await box().getAttribute("aria-activedescendant")).toBeNull();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  const active = await box().getAttribute("aria-activedescendant");
  expect(await options().first().getAttribute("id")).toBe(active);
  expect(await options().first().getAttribute("aria-selected")).toBe("true");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/docs/errors#131026");
  await expect.poll(() => page.locator('[id="131026"]').isVisible()).toBe(true);
});

test("Escape closes the list, and a slash in a text is only a slash", async () => {
  await page.keyboard.press("/");
  await page.keyboard.type("and/or");
  expect(await box().inputValue()).toBe("and/or");
  await box().fill("webhook");
  await options().first().waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => options().count()).toBe(0);
  expect(await box().getAttribute("aria-expanded")).toBe("false");
  await box().fill("xylophone quartz");
  await expect.poll(() => page.getByRole("status").textContent()).toBe("Nothing found");
});

test("the open list passes axe and fits 390 pixels; nothing of it is loaded before it is used", async () => {
  const requested: string[] = [];
  page.on("request", (request) => requested.push(new URL(request.url()).pathname));
  await page.reload({ waitUntil: "networkidle" });
  expect(requested.filter((path) => path.startsWith("/docs/search"))).toEqual([]);
  await box().fill("window");
  await options().first().waitFor();
  await page.keyboard.press("ArrowDown");
  expect(await axeViolations(page)).toEqual([]);
  await page.setViewportSize(NARROW);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(NARROW.width);
});

test("without JavaScript, the form is answered by the server, from the same sections", async () => {
  const browser = await openBrowser();
  const plain = await browser.newContext({ javaScriptEnabled: false });
  const still = await plain.newPage();
  await still.goto(`${server.baseUrl}/docs/errors`);
  await still.getByRole("combobox", { name: "Search the documentation" }).fill("131026");
  await still.keyboard.press("Enter");
  await still.waitForURL("**/docs/search?q=131026");
  const hrefs = await still
    .locator("main ol a")
    .evaluateAll((links) => links.map((link) => link.getAttribute("href")));
  expect(hrefs).toEqual(await search("131026"));
  await still.locator("main ol a").first().click();
  await still.waitForURL("**/docs/errors#131026");
  expect(await still.locator('[id="131026"]').isVisible()).toBe(true);
  await plain.close();
});

test("a query is shown as text, whatever it contains", async () => {
  await page.goto(
    `${server.baseUrl}/docs/search?q=${encodeURIComponent('<img src=x onerror="alert(1)">')}&q=2`,
  );
  expect(await page.locator("main img").count()).toBe(0);
  expect(await page.locator("main").textContent()).toContain("<img src=x");
  expect((await page.goto(`${server.baseUrl}/docs/search?q=${"%F0%9F%91%8B".repeat(300)}`))?.status()).toBe(
    200,
  );
});
