import type { Browser } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/db/testing";
import { closeContexts, openBrowser } from "@/e2e/support/browser";
import { until } from "@/e2e/support/until";
import { startWaypost, type Waypost } from "@/e2e/support/waypost";
import { faultsInEachForm } from "./support/forms";
import { refused } from "./support/guard";
import { focused, tabTo } from "./support/keyboard";
import { pageOpener } from "./support/open-page";
import { signInAs } from "./support/sign-in";

const REFUSED = { expects: refused("404 setup.open", "400 setup.setUp") };
const OWNER = { email: "ada@example.com", password: "correct horse battery" };

let database: TestDatabase;
let browser: Browser;
let server: Waypost;

/** An installation with its own database isn't a demo: nobody can sign in to it yet. */
const start = () =>
  startWaypost({ env: { DATABASE_URL: database.url, WAYPOST_SECRET: "0123456789abcdef".repeat(4) } });

beforeAll(async () => {
  database = await createTestDatabase();
  server = await start();
  browser = await openBrowser();
});
afterAll(async () => {
  await closeContexts(browser);
  await server.stop();
  await database.drop();
});

const linkOf = ({ output }: Waypost) => /http\S+\/setup#\S+/.exec(output())?.[0] ?? null;

test("the link that the first start prints makes the owner, once", async () => {
  // It is printed after the server is ready.
  const link = await until("the link is printed", () => linkOf(server));
  expect(link).toContain(server.baseUrl);
  const { page, close } = await pageOpener(browser, server.baseUrl)(REFUSED);
  await page.goto(`${link}x`);
  await page.getByRole("heading", { name: "This link doesn’t work" }).waitFor();
  await page.goto(link);
  await page.getByRole("heading", { name: "Welcome to Waypost" }).waitFor();
  expect(page.url()).not.toContain("#");
  expect(await faultsInEachForm(page)).toEqual([]);

  // With the keyboard only: each Tab leads to the next field.
  const field = (name: string) => page.locator(`input[name=${name}]`);
  await focused(field("organization"));
  await page.keyboard.type("Seaside Clinic");
  await page.keyboard.press("Tab");
  await page.keyboard.type("no address");
  await page.keyboard.press("Tab");
  await page.keyboard.type("Ada");
  await page.keyboard.press("Tab");
  await page.keyboard.type("short");
  await page.keyboard.press("Enter");
  // All errors are shown together, and the first field with one has the focus.
  await page.getByText(/must be an email address/i).waitFor();
  await page.getByText(/must have at least 12 characters/i).waitFor();
  await focused(field("email"));
  expect(await field("organization").inputValue()).toBe("Seaside Clinic");
  expect(await field("password").inputValue()).toBe("short");
  expect(await faultsInEachForm(page)).toEqual([]);
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type(OWNER.email);
  await tabTo(page, field("password"));
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("Password2026!");
  await page.keyboard.press("Enter");
  await page.getByText(/is easy to guess/i).waitFor();
  await focused(field("password"));
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type(OWNER.password);
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/o\/[^/]+\/channels/);
  await page.goto(page.url().replace("/channels", "/messages"));
  await page.getByText("Connect a number first").waitFor();
  await page.getByRole("button", { name: "Organization: Seaside Clinic" }).waitFor();
  await close();

  const late = await pageOpener(browser, server.baseUrl)(REFUSED);
  await late.page.goto(server.baseUrl);
  await late.page.getByRole("link", { name: "Sign in" }).waitFor();
  expect(await faultsInEachForm(late.page)).toEqual([]);
  await late.page.goto(link);
  await late.page.getByRole("heading", { name: "This link doesn’t work" }).waitFor();
  await late.close();
});

test("the next start prints no link, and its owner signs in", async () => {
  await server.stop();
  server = await start();
  const { page, go, close } = await pageOpener(browser, server.baseUrl)();
  await go("/sign-in");
  await signInAs(page, OWNER);
  await page.getByRole("button", { name: "Organization: Seaside Clinic" }).waitFor();
  await close();
  // Checked last: a link would be printed a moment after the server is ready.
  expect(linkOf(server)).toBeNull();
});
