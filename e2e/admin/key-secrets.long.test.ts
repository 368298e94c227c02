import type { Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Api, openApi, pingWith } from "@/e2e/support/api";
import { createKey } from "@/server/domain/keys/create";
import { rotateKey } from "@/server/domain/keys/rotate";
import { setKey } from "@/server/domain/keys/set";
import { type AdminWorld, openAdminWorld } from "./support/admin-world";
import { enter, tabTo } from "./support/keyboard";

let world: AdminWorld;
let api: Api;

beforeAll(async () => {
  world = await openAdminWorld();
  api = await openApi(world.server.baseUrl);
});
afterAll(() => world.close());

const ping = (key: string) => pingWith(api, key);

/** A key during an overlap. */
async function overlapping(name: string) {
  const { id, secret: former } = await createKey({ ctx: world.ctx, input: { name } });
  const { secret: present } = await rotateKey({
    ctx: world.ctx,
    input: { keyId: id, overlapSeconds: 3_600 },
  });
  return { id, former, present };
}

const secretRow = (page: Page, state: string) =>
  page.getByRole("table", { name: "Active secrets" }).getByRole("row").filter({ hasText: state });

test("a key’s page tells when each secret was last used, and ends the former one early once that is confirmed", async () => {
  const { id, former, present } = await overlapping("Two secrets");
  const { page, go, close } = await world.open(world.owner);
  await go(`/keys/${id}`);
  await secretRow(page, "previous").getByText("never").waitFor();
  expect(await ping(former)).toBe(200);
  await secretRow(page, "previous").getByText("just now").waitFor();
  expect(await secretRow(page, "current").getByText("never").count()).toBe(1);
  await page.getByRole("button", { name: "Expire the previous secret" }).click();
  await page.getByRole("button", { name: "Expire this secret now" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect([await ping(former), await ping(present)]).toEqual(["api_key_revoked", 200]);
  await close();
});

test("a former secret that was found ends alone: its key works on", async () => {
  const { former, present } = await overlapping("Found former");
  const { page, go, close } = await world.open(world.owner);
  await go("/keys?dialog=found");
  await page.getByRole("textbox", { name: "Key or text" }).fill(former);
  await page.getByRole("button", { name: "Find key" }).click();
  await page.getByText("still works until its overlap ends").waitFor();
  expect(await page.getByRole("button", { name: "Revoke this key now" }).count()).toBe(0);
  await page.getByRole("button", { name: "Expire this secret now" }).click();
  await page.getByText("The secret has expired").waitFor();
  expect([await ping(former), await ping(present)]).toEqual(["api_key_revoked", 200]);
  await close();
});

test.each([
  ["two spaces", "a  b", "Name of the key", "a b"],
  ["what turns letters around", "\u202eshop", "Name of the key", "shop"],
  ["nothing to be seen", "\u3164", "ID of the key", null],
])("a key whose older name has %s is revoked by what is seen of it", async (_, name, label, typed) => {
  const { id, secret } = await createKey({ ctx: world.ctx, input: { name: "New" } });
  await world.services.sql`update api_keys set name = ${name} where id = ${id}`;
  const { page, go, close } = await world.open(world.owner);
  await go(`/keys/${id}?dialog=revoke`);
  await page.getByRole("textbox", { name: label }).fill(typed ?? id);
  await page.getByRole("button", { name: "Revoke key" }).click();
  await page.getByText("Every request with it is refused").waitFor();
  expect(await ping(secret)).toBe("api_key_revoked");
  await close();
});

test("a form that was open during another change takes none of that back", async () => {
  const { id } = await createKey({ ctx: world.ctx, input: { name: "Stale" } });
  const { page, go, close } = await world.open(world.owner);
  await go(`/keys/${id}?dialog=change`);
  // With the keyboard only.
  await tabTo(page, page.getByRole("textbox", { name: "Name" }));
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("Renamed");
  await setKey({ ctx: world.ctx, input: { keyId: id, sendLimit: 7 } });
  await enter(page, page.getByRole("button", { name: "Save" }));
  await page.getByRole("heading", { level: 1, name: "Renamed" }).waitFor();
  await page.getByText("7 new messages").waitFor();
  await page.getByRole("definition").filter({ hasText: "Stale → Renamed" }).waitFor();
  await expect.poll(() => new URL(page.url()).search).toBe("");
  await close();
});
