import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import type { Response } from "playwright";
import { expect, test } from "vitest";
import { z } from "zod";
import { faultsInEachForm } from "@/e2e/admin/support/forms";
import { chooseItem, enter, focused } from "@/e2e/admin/support/keyboard";
import { useSuite } from "@/e2e/admin/support/suite";
import type { ApiRequest } from "@/e2e/support/api";
import { REPOSITORY } from "@/e2e/support/program";
import { ENDINGS, newNumber } from "./support/send";

const suite = useSuite();

const LANGUAGES = ["curl", "TypeScript", "Python"] as const;
const SAMPLES = "/docs/api/requests.json";

const panel = () => suite().admin.page.getByRole("dialog", { name: "Refused request" });
const menuButton = () => panel().getByRole("button", { name: /^(Copy|Copied) as/ });
const clipboard = () => suite().admin.page.evaluate(() => navigator.clipboard.readText());

/** Makes a request, with the demo's key, that is refused. @returns the link to it in the list. */
async function refusedRequest(request: ApiRequest, code: string) {
  const { admin, world, api } = suite();
  const answer = await api.call({ key: world.demo.api_key.secret, ...request });
  expect(answer.code).toBe(code);
  await admin.go(`/requests?request=${String(answer.headers["x-request-id"])}`);
  const link = admin.page.getByRole("row").getByRole("link", { name: code });
  await link.waitFor();
  return link;
}

type Copies = Readonly<Record<(typeof LANGUAGES)[number], string>>;

/** Copies the opened request in each language. @param choose opens the menu and chooses a language */
async function copies(choose: (language: string) => Promise<void>): Promise<Copies> {
  const texts = { curl: "", TypeScript: "", Python: "" };
  await menuButton().waitFor();
  for (const language of LANGUAGES) {
    await choose(language);
    await panel()
      .getByRole("button", { name: `Copied as ${language}` })
      .waitFor();
    texts[language] = await clipboard();
  }
  return texts;
}

async function byMouse(language: string): Promise<void> {
  await menuButton().click();
  await suite().admin.page.getByRole("menuitem", { name: language }).click();
}

async function byKeyboard(language: string): Promise<void> {
  await enter(suite().admin.page, menuButton());
  await chooseItem(suite().admin.page, language);
  await focused(menuButton());
}

/** Runs a copied curl in a shell, where the address, the key and these variables are set. */
async function runCopy(curl: string, variables: Readonly<Record<string, string>> = {}) {
  const { server, demo } = suite().world;
  const script = `curl() { node "${REPOSITORY}/e2e/support/curl.mjs" -i "$@"; }\n${curl}`;
  const given = { WAYPOST_URL: server.baseUrl, WAYPOST_KEY: demo.api_key.secret, ...variables };
  const env = { ...process.env, ...given };
  const child = spawn("sh", ["-ec", script], { env, stdio: ["ignore", "pipe", "inherit"] });
  const [output] = await Promise.all([text(child.stdout), once(child, "close")]);
  const [, status, body = ""] = /^HTTP\/1\.1 (\d+) .*\n\n(.*)$/s.exec(output) ?? [];
  return { status: Number(status), body: JSON.parse(body) };
}

const endpointSchema = z.looseObject({ id: z.string() });

test("a refused send is copied by keyboard, and is accepted once its marked values are replaced", async () => {
  const { world, admin } = suite();
  const clientMessageId = `it's "$HOME" ${randomUUID()}`;
  const number = newNumber(ENDINGS.read);
  const json = {
    client_message_id: clientMessageId,
    type: "text",
    to: { kind: "whatsapp", handle: number },
    text: { body: "A private text" },
  };
  const link = await refusedRequest({ path: "/messages", json }, "outside_customer_window");
  await enter(admin.page, link);
  const copied = await copies(byKeyboard);
  const said = await panel().textContent();
  expect(said).toContain("The body of the request isn’t stored.");
  expect(said).toContain("Except for client_message_id, the body in the copy is an example.");
  for (const copy of Object.values(copied)) {
    expect(copy).toContain(JSON.stringify(clientMessageId));
    expect(copy).toContain("WAYPOST_KEY");
    expect(copy).not.toContain(world.demo.api_key.secret.slice(0, 12));
    expect(copy).not.toContain(number);
    expect(copy).not.toContain("private");
  }
  expect(copied.TypeScript).toContain("waypost.messages.send({");
  expect(copied.Python).toContain('client.post(\n    "/messages",');

  const unchanged = await runCopy(copied.curl);
  expect(unchanged).toMatchObject({ status: 400, body: { error: { field: "to.handle" } } });
  const { handle } = world.demo.contacts.open_window;
  const filledIn = copied.curl
    .replace("<YOUR VALUE, such as 4915112345678>", handle)
    .replace("<YOUR VALUE, such as Thank you!>", "Hello");
  expect(filledIn).not.toContain("YOUR VALUE");
  expect(await runCopy(filledIn)).toMatchObject({
    status: 201,
    body: { client_message_id: clientMessageId, deduplicated: false },
  });
});

test("a refused list is copied by mouse, and the page says that its query is an example", async () => {
  const link = await refusedRequest({ path: "/messages?state=lost" }, "validation_failed");
  await link.click();
  const copied = await copies(byMouse);
  expect(await panel().textContent()).toContain("The query isn’t stored. ?state=failed is an example.");
  for (const copy of Object.values(copied)) expect(copy).not.toContain("lost");
  expect(copied.TypeScript).toContain('waypost.messages.list({ state: "failed" })');
  expect(copied.Python).toContain('params={"state": "failed"}');
  expect(await runCopy(copied.curl)).toMatchObject({ status: 200, body: { data: [] } });
});

test("a refused call about a webhook is copied, with a variable for the endpoint's id", async () => {
  const { api, world } = suite();
  const key = world.demo.api_key.secret;
  const created = await api.call({ path: "/webhooks", key, json: { url: null } });
  const { id } = endpointSchema.parse(created.body);
  const request = { method: "PATCH", path: `/webhooks/${id}`, json: { events: [] } };
  const link = await refusedRequest(request, "validation_failed");
  await link.click();
  const copied = await copies(byMouse);
  expect(await panel().textContent()).toContain("The path’s ids aren’t stored: set WEBHOOK_ID.");
  for (const copy of Object.values(copied)) expect(copy).toContain("WEBHOOK_ID");
  expect(copied.TypeScript).toContain("waypost.webhooks.update(webhookId, { enabled: true })");
  expect(copied.Python).toContain("client.patch(");
  expect(await runCopy(copied.curl, { WEBHOOK_ID: id })).toMatchObject({
    status: 200,
    body: { id, enabled: true },
  });
});

test("a malformed id has a copy, and a request to no operation has none", async () => {
  const { page } = suite().admin;
  const malformed = await refusedRequest({ path: "/messages/%20" }, "message_not_found");
  await malformed.click();
  await menuButton().waitFor();
  expect(await panel().textContent()).toContain("set MESSAGE_ID.");
  const unknown = await refusedRequest({ path: "/nothing" }, "not_found");
  const loaded = page.waitForResponse((response) => response.url().endsWith(SAMPLES));
  await unknown.click();
  await panel().getByText("GET /api/public/v1/*").waitFor();
  await (await loaded).finished();
  await page.waitForLoadState("networkidle");
  expect(await menuButton().count()).toBe(0);
});

test("the list loads nothing for copies before a request is opened", async () => {
  const { page } = suite().admin;
  const responses: Response[] = [];
  page.on("response", (response) => responses.push(response));
  /** Returns the loaded paths whose content is about the key in a copy. */
  const loaded = async () => {
    const ofCopies = responses.filter((one) => one.url().endsWith(SAMPLES)).map(() => SAMPLES);
    const scripts = responses.filter((one) => one.request().resourceType() === "script");
    const texts = await Promise.all(scripts.map((script) => script.text()));
    return [...ofCopies, ...texts.filter((script) => script.includes("WAYPOST_KEY")).map(() => "script")];
  };
  const link = await refusedRequest({ path: "/messages?state=lost" }, "validation_failed");
  await page.waitForLoadState("networkidle");
  expect(await loaded()).toEqual([]);
  await link.click();
  await menuButton().waitFor();
  expect(await loaded()).toEqual([SAMPLES, "script"]);
});

test("the opened menu passes axe, and Escape closes it alone", async () => {
  const { page } = suite().admin;
  const link = await refusedRequest({ path: "/messages?state=lost" }, "validation_failed");
  await link.click();
  await menuButton().click();
  await page.getByRole("menuitem", { name: "Python" }).waitFor();
  expect(await faultsInEachForm(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.getByRole("menu").waitFor({ state: "detached" });
  await focused(menuButton());
  await page.keyboard.press("Escape");
  await panel().waitFor({ state: "detached" });
});
