import type { Page } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Api, openApi, pingWith } from "@/e2e/support/api";
import { type Scope, SCOPES } from "@/server/capabilities";
import { createKey } from "@/server/keys/create";
import { type AdminWorld, openAdminWorld } from "./support/admin-world";
import { refused } from "./support/guard";
import { enter, focused, press, tabTo } from "./support/keyboard";
import { nowhereInDatabase, trafficOf } from "./support/secrecy";

let world: AdminWorld;
let api: Api;

beforeAll(async () => {
  world = await openAdminWorld();
  api = await openApi(world.server.baseUrl);
});
afterAll(() => world.close());

const ping = (key: string) => pingWith(api, key);

/** The secret that the open dialog shows. */
const shownSecret = (page: Page) => page.getByRole("textbox", { name: "Secret" }).inputValue();

async function copyAndClose(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Copy: Secret" }).click();
  await page.getByRole("button", { name: "Copied: Secret" }).waitFor();
  await page.getByRole("button", { name: "Done" }).click();
}

/** @param choose what is done in the form beside the name. */
async function createByHand(page: Page, name: string, choose?: () => Promise<void>): Promise<string> {
  await page.getByRole("button", { name: "Create a key" }).first().click();
  await page.getByRole("textbox", { name: "Name" }).fill(name);
  await choose?.();
  await page.getByRole("button", { name: "Create the key" }).click();
  const secret = await shownSecret(page);
  await copyAndClose(page);
  return secret;
}

const SCOPE_GROUPS = {
  Messages: ["messages:send", "messages:read"],
  Contacts: ["contacts:read", "contacts:write"],
  Templates: ["templates:read"],
  Webhooks: ["webhooks:manage"],
} as const satisfies Record<string, readonly Scope[]>;

const scopeBox = (page: Page, scope: Scope) => page.getByRole("checkbox", { name: scope });

/** What the form says of the scopes before one is chosen. */
async function expectExplainedScopes(page: Page): Promise<void> {
  for (const [label, scopes] of Object.entries(SCOPE_GROUPS)) {
    const group = page.getByRole("group", { name: label, exact: true });
    for (const scope of scopes) {
      const { description, isDefault } = SCOPES[scope];
      await group.getByText(description.replaceAll("`", "")).waitFor();
      expect([scope, await group.getByRole("checkbox", { name: scope }).isChecked()]).toEqual([
        scope,
        isDefault,
      ]);
    }
  }
  expect(await page.getByText("not a default").count()).toBe(1);
  await page.getByRole("checkbox", { name: "webhooks:manage not a default" }).waitFor();
}

/** What the page says of the key; its audit trail, further down, has facts of the same names. */
const fact = (page: Page, name: string) =>
  page.getByText(name, { exact: true }).locator("xpath=following-sibling::dd[1]").first();

const row = (page: Page, name: string) => page.getByRole("row").filter({ hasText: name });

test("a key is created, used, given a new secret with an overlap, and revoked, and its page tells each", async () => {
  const { page, go, close } = await world.open(world.owner);
  await go("/keys");
  const first = await createByHand(page, "Life of a key", async () => {
    await expectExplainedScopes(page);
    await scopeBox(page, "contacts:write").uncheck();
    await scopeBox(page, "templates:read").uncheck();
    await page.getByRole("combobox", { name: "Expires" }).click();
    await page.getByRole("option", { name: "In 30 days" }).click();
  });
  expect(await ping(first)).toBe(200);
  await row(page, "Life of a key").getByRole("link").click();
  await page.getByRole("heading", { level: 1, name: "Life of a key" }).waitFor();
  await expect.poll(() => fact(page, "Last used").textContent()).not.toBe("never");
  expect(await fact(page, "Scopes").textContent()).toBe("messages: send, read; contacts: read");
  expect(await fact(page, "Expires").textContent()).toMatch(/^in 30 days, /);
  const list = { path: "/messages?limit=1", key: first };
  expect((await api.call(list)).status).toBe(200);

  // By the keyboard alone.
  await enter(page, page.getByRole("button", { name: "New secret" }));
  await focused(page.getByRole("radio", { checked: true }));
  const hour = page.getByRole("radio", { name: "It works for an hour more" });
  for (let step = 0; step < 5 && !(await hour.isChecked()); step++) await page.keyboard.press("ArrowDown");
  await press(page, page.getByRole("switch", { name: "Change its scopes too" }), "Space");
  await press(page, scopeBox(page, "messages:read"), "Space");
  await press(page, scopeBox(page, "webhooks:manage"), "Space");
  await enter(page, page.getByRole("button", { name: "Make the new secret" }));
  const second = await shownSecret(page);
  await copyAndClose(page);
  expect([await ping(first), await ping(second)]).toEqual([200, 200]);
  expect((await api.call(list)).code).toBe("missing_scope");
  await expect
    .poll(() => fact(page, "Scopes").textContent())
    .toBe("messages: send; contacts: read; webhooks: manage");
  await page.getByText("former, works still").waitFor();
  await world.services.sql`
      update api_key_secrets set ends_at = clock_timestamp() where ends_at > clock_timestamp()`;
  expect([await ping(first), await ping(second)]).toEqual(["api_key_revoked", 200]);

  await page.getByRole("button", { name: "Revoke" }).click();
  const revoke = page.getByRole("button", { name: "Revoke the key" });
  await page.getByRole("textbox", { name: "Name of the key" }).fill("Life of another key");
  expect(await revoke.isDisabled()).toBe(true);
  await page.getByRole("textbox", { name: "Name of the key" }).fill("Life of a key");
  await page.getByRole("textbox", { name: "Reason" }).fill("Its program is gone");
  await revoke.click();
  await page.getByText("Every request with it is refused").waitFor();
  expect(await ping(second)).toBe("api_key_revoked");
  for (const words of ["created an API key", "gave an API key a new secret", "Its program is gone"]) {
    await page.getByText(words).waitFor();
  }
  expect(await page.getByRole("button", { name: "New secret" }).count()).toBe(0);
  await close();
});

test("it is done by the keyboard alone, and the focus comes back to where it was", async () => {
  const { page, go, close } = await world.open(world.owner);
  await go("/keys");
  const create = page.getByRole("button", { name: "Create a key" });
  await tabTo(page, create);
  await page.keyboard.press("Enter");
  await focused(page.getByRole("textbox", { name: "Name" }));
  await page.keyboard.type("By keyboard");
  await page.keyboard.press("Enter");
  await focused(page.getByRole("button", { name: "Copy: Secret" }));
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Copied: Secret" }).waitFor();
  const secret = await page.evaluate(() => navigator.clipboard.readText());
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(await ping(secret)).toBe(200);
  await focused(create);

  await tabTo(page, page.getByRole("link", { name: "By keyboard" }));
  await page.keyboard.press("Enter");
  await tabTo(page, page.getByRole("button", { name: "Revoke" }));
  await page.keyboard.press("Enter");
  await focused(page.getByRole("textbox", { name: "Name of the key" }));
  await page.keyboard.type("By keyboard");
  await page.keyboard.press("Enter");
  await page.getByText("Every request with it is refused").waitFor();
  expect(await ping(secret)).toBe("api_key_revoked");
  await close();
});

test("closing asks where the secret wasn’t copied, and stays until one says so", async () => {
  const { page, go, close } = await world.open(world.owner);
  await go("/keys?dialog=create");
  await page.getByRole("textbox", { name: "Name" }).fill("Not copied");
  await page.getByRole("button", { name: "Create the key" }).click();
  const secret = await shownSecret(page);
  await page.keyboard.press("Escape");
  await page.getByText("The secret wasn’t copied").waitFor();
  expect(await shownSecret(page)).toBe(secret);
  await page.getByRole("button", { name: "Close without the secret" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await close();
});

test("a secret is nowhere after its one showing: in no table, log, page, address or answer", async () => {
  const { page, go, close } = await world.open(world.owner);
  await go("/keys");
  const first = await createByHand(page, "Kept secret");
  const sinceFirst = trafficOf(page);
  await page.getByRole("link", { name: "Kept secret" }).click();
  await page.getByText("What was done with it").waitFor();
  await page.getByText("created an API key").waitFor();
  await page.getByRole("button", { name: "New secret" }).click();
  await page.getByRole("button", { name: "Make the new secret" }).click();
  const second = await shownSecret(page);
  await copyAndClose(page);
  const sinceSecond = trafficOf(page);
  await page.getByText("gave an API key a new secret").waitFor();
  await go("/keys");
  await row(page, "Kept secret").waitFor();
  const inPage = await page.evaluate(() =>
    [document.documentElement.outerHTML, JSON.stringify(localStorage), JSON.stringify(sessionStorage)].join(),
  );
  await page.goBack();
  for (const [secret, traffic] of [
    [first, sinceFirst],
    [second, sinceSecond],
  ] as const) {
    // Its first characters and its last four are what may be shown of it.
    const middle = secret.slice(12, -4);
    const seen = await traffic();
    expect(seen).toContain("Kept secret");
    for (const place of [seen, inPage, await page.content(), page.url(), await world.server.output()]) {
      expect(place).not.toContain(middle);
    }
    expect(await nowhereInDatabase(world.services.sql, middle)).toEqual([]);
  }
  await close();
});

test("a key that was found is told by what was pasted, and revoked with one click", async () => {
  const { secret } = await createKey({ ctx: world.ctx, input: { name: "Leaked" } });
  const { page, go, close } = await world.open(world.owner);
  await go("/keys");
  await page.getByRole("button", { name: "I found a key" }).click();
  const pasted = page.getByRole("textbox", { name: "What you found" });
  await pasted.fill("nothing of the kind");
  await page.getByRole("button", { name: "See which key it is" }).click();
  await page.getByText("There is no key in this").waitFor();
  await pasted.fill(`DEBUG headers: {"x-api-key": "${secret}"}`);
  await page.getByRole("button", { name: "See which key it is" }).click();
  await page.getByText("Whoever has it can do what this key may do").waitFor();
  await page.getByRole("button", { name: "Revoke this key now" }).click();
  await page.getByText("It is revoked").waitFor();
  expect(await ping(secret)).toBe("api_key_revoked");
  await close();
});

test("name, channels and limits are changed, and what the server refuses stands at its field", async () => {
  const { id, secret } = await createKey({ ctx: world.ctx, input: { name: "Changeable" } });
  const { page, go, close } = await world.open(world.owner, { expects: refused("400 keys.set") });
  await go(`/keys/${id}?dialog=change`);
  const name = page.getByRole("textbox", { name: "Name" });
  const save = page.getByRole("button", { name: "Save" });
  await page.getByRole("radio", { name: "Only these" }).check();
  await name.fill("Changed");
  await save.click();
  await page.getByText("must name at least one channel").waitFor();
  expect(await name.inputValue()).toBe("Changed");
  await page.getByRole("checkbox", { name: "Support" }).check();
  await page.getByRole("textbox", { name: "New messages a minute" }).fill("7");
  await save.click();
  await page.getByRole("heading", { level: 1, name: "Changed" }).waitFor();
  await page.getByText("7 new messages").waitFor();
  const { body } = await api.call({ path: "/channels", key: secret });
  expect(body).toMatchObject({ data: [{ name: "Support" }] });
  await close();
});

test("revoked keys are left out until they are asked for, which the address keeps", async () => {
  const { page, go, close } = await world.open(world.owner);
  await go("/keys");
  const secret = await createByHand(page, "Soon revoked");
  await go("/keys?dialog=found");
  await page.getByRole("textbox", { name: "What you found" }).fill(secret);
  await page.getByRole("button", { name: "See which key it is" }).click();
  await page.getByRole("button", { name: "Revoke this key now" }).click();
  await page.getByText("It is revoked").waitFor();
  await page.keyboard.press("Escape");
  await row(page, "Soon revoked").waitFor({ state: "detached" });
  await page.getByText("Revoked", { exact: true }).click();
  await row(page, "Soon revoked").waitFor();
  await expect.poll(() => new URL(page.url()).search).toBe("?show=revoked");
  await page.reload();
  await row(page, "Soon revoked").waitFor();
  await page.goBack();
  await row(page, "Soon revoked").waitFor({ state: "detached" });
  await close();
});

describe("integrations.manage_api", () => {
  test("an agent doesn’t see the page, and is refused where its address is known", async () => {
    const { page, go, close } = await world.open(await world.addMember("agent"), {
      expects: refused("403 keys.list"),
    });
    await go("/keys");
    await page.getByText("You may not see this page").waitFor();
    expect(await page.getByRole("main").getByRole("button").count()).toBe(0);
    expect(await page.getByRole("link", { name: "API keys" }).count()).toBe(0);
    expect(await page.getByRole("table").count()).toBe(0);
    await close();
  });

  test("an agent who was given it creates keys", async () => {
    const agent = await world.addMember("agent", ["integrations.manage_api"]);
    const { page, go, close } = await world.open(agent);
    await go("/keys");
    await page.getByRole("link", { name: "API keys" }).waitFor();
    expect(await ping(await createByHand(page, "An agent’s"))).toBe(200);
    await close();
  });
});
