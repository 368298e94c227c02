import { afterAll, beforeAll, expect, test } from "vitest";
import { openApi } from "@/e2e/support/api";
import { createKey } from "@/server/domain/keys/create";
import { type AdminWorld, openAdminWorld } from "./support/admin-world";
import { faultsInEachForm } from "./support/forms";
import { refused } from "./support/guard";
import { focused, tabTo } from "./support/keyboard";

let world: AdminWorld;

beforeAll(async () => {
  world = await openAdminWorld();
});
afterAll(() => world.close());

test("what is refused brings the focus to the field at fault, and what is done leaves it within the dialog", async () => {
  const { page, go, close } = await world.open(world.owner, { expects: refused("400 keys.create") });
  await go("/keys?dialog=create");
  const name = page.getByRole("textbox", { name: "Name" });
  const create = page.getByRole("button", { name: "Create key" });
  await name.waitFor();
  await create.focus();
  await page.keyboard.press("Enter");
  await focused(name);
  await page.keyboard.type("By keyboard");
  await page.getByRole("combobox", { name: "Expires" }).click();
  await page.getByRole("option", { name: "Custom" }).click();
  const moment = page.getByLabel("Expires at", { exact: true });
  await moment.fill("2020-01-01T10:00");
  await create.click();
  await page.getByText("Must be a time in the future.").waitFor();
  await focused(moment);
  await moment.fill("2999-01-01T10:00");
  await tabTo(page, create);
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "Secret" }).waitFor();
  const isWithin = () => page.evaluate(() => document.activeElement?.closest("[aria-modal=true]") !== null);
  await expect.poll(isWithin).toBe(true);
  await page.keyboard.press("Tab");
  expect(await isWithin()).toBe(true);
  await close();
});

test("axe finds nothing wrong in light, dark and narrow", async () => {
  const { id, secret } = await createKey({
    ctx: world.ctx,
    input: { name: "W".repeat(100), expiresInSeconds: 3_600 },
  });
  const api = await openApi(world.server.baseUrl);
  const { code: refusalCode } = await api.call({ path: "/messages?limit=0", key: secret });
  const { page, go, close } = await world.open(world.owner);
  const check = async (what: string) => expect([what, ...(await faultsInEachForm(page))]).toEqual([what]);
  await go("/keys");
  await page.getByRole("table").waitFor();
  await check("list");
  await page.getByRole("button", { name: "Create a key" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Looked at");
  await check("create");
  await page.getByRole("button", { name: "Create key" }).click();
  await page.getByRole("textbox", { name: "Secret" }).waitFor();
  await check("secret");
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByText("The secret wasn’t copied").waitFor();
  await check("secret, not copied");
  await go("/keys?dialog=found");
  await page.getByRole("textbox", { name: "Key or text" }).fill(secret);
  await page.getByRole("button", { name: "Find key" }).click();
  await page.getByText("Last used:").waitFor();
  await check("found");
  await go(`/keys/${id}`);
  await page.getByText("This key expires").waitFor();
  await page.getByText("Show as a table").click();
  await page.getByText("created an API key").waitFor();
  const usage = page.getByRole("region", { name: "Last 7 days" });
  await usage.getByText("Messages accepted: 0, of which failed: 0. Requests refused: 1.").waitFor();
  const refusals = usage.getByRole("table", { name: "Refused requests, by code" });
  const refusal = refusals.getByRole("link", { name: refusalCode ?? "none", exact: true });
  expect(await refusal.getAttribute("href")).toContain(`/requests?key=${id}&code=${refusalCode}`);
  const line = `curl -sS ${world.server.baseUrl}/api/public/v1/ping -H "Authorization: Bearer $WAYPOST_KEY"`;
  await page.getByRole("region", { name: "Try it" }).getByText(line, { exact: true }).waitFor();
  await page.getByRole("button", { name: "Copy command" }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(line);
  await check("key");
  for (const [button, shown] of [
    ["Rotate secret", "Current secret"],
    ["Change", "Other requests per minute"],
    ["Revoke", "Name of the key"],
  ] as const) {
    await page.getByRole("button", { name: button, exact: true }).click();
    await page.getByText(shown).first().waitFor();
    await check(button);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  }
  await close();
});
