import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Api, openApi, pingWith } from "@/e2e/support/api";
import { createKey } from "@/server/domain/keys/create";
import { type AdminWorld, openAdminWorld } from "./support/admin-world";
import { refused } from "./support/guard";
import { focused, tabTo } from "./support/keyboard";
import { copyAndClose, createByHand, shownSecret } from "./support/keys";
import { row } from "./support/parts";
import { nowhereInDatabase, trafficOf } from "./support/secrecy";

let world: AdminWorld;
let api: Api;

beforeAll(async () => {
  world = await openAdminWorld();
  api = await openApi(world.server.baseUrl);
});
afterAll(() => world.close());

const ping = (key: string) => pingWith(api, key);

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
  await page.getByRole("button", { name: "Create key" }).click();
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
  await page.getByRole("heading", { name: "History" }).waitFor();
  await page.getByText("created an API key").waitFor();
  await page.getByRole("button", { name: "Rotate secret" }).click();
  await page.getByRole("button", { name: "Create new secret" }).click();
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
    // Only its first characters and the last four may be shown.
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
  await page.getByRole("button", { name: "Look up a key" }).click();
  const pasted = page.getByRole("textbox", { name: "Key or text" });
  await pasted.fill("nothing of the kind");
  await page.getByRole("button", { name: "Find key" }).click();
  await page.getByText("No key found in this text").waitFor();
  await pasted.fill(`DEBUG headers: {"x-api-key": "${secret}"}`);
  await page.getByRole("button", { name: "Find key" }).click();
  await page.getByText("Anyone who has it can do everything that the key may do").waitFor();
  await page.getByRole("button", { name: "Revoke this key now" }).click();
  await page.getByText("The key was revoked").waitFor();
  expect(await ping(secret)).toBe("api_key_revoked");
  await close();
});

test("name, channels and limits are changed, and what the server refuses stands at its field", async () => {
  const { id, secret } = await createKey({ ctx: world.ctx, input: { name: "Changeable" } });
  const { page, go, close } = await world.open(world.owner, { expects: refused("400 keys.set") });
  await go(`/keys/${id}?dialog=change`);
  const name = page.getByRole("textbox", { name: "Name" });
  const save = page.getByRole("button", { name: "Save" });
  await page.getByRole("radio", { name: "Selected channels only" }).check();
  await name.fill("Changed");
  await save.click();
  await page.getByText("must name at least one channel").waitFor();
  expect(await name.inputValue()).toBe("Changed");
  await page.getByRole("checkbox", { name: "Support" }).check();
  await page.getByRole("textbox", { name: "New messages per minute" }).fill("7");
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
  await page.getByRole("textbox", { name: "Key or text" }).fill(secret);
  await page.getByRole("button", { name: "Find key" }).click();
  await page.getByRole("button", { name: "Revoke this key now" }).click();
  await page.getByText("The key was revoked").waitFor();
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
  test("an agent who was given it creates keys", async () => {
    const agent = await world.addMember("agent", ["integrations.manage_api"]);
    const { page, go, close } = await world.open(agent);
    await go("/keys");
    await page.getByRole("link", { name: "API keys" }).waitFor();
    expect(await ping(await createByHand(page, "An agent’s"))).toBe(200);
    await close();
  });
});
