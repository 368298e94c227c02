import { afterAll, beforeAll, expect, test } from "vitest";
import { connectTestChannel } from "@/server/domain/organizations/testing";
import { type AdminWorld, openAdminWorld } from "./support/admin-world";
import { chosen, field, openByKeys, options } from "./support/spotlight";

let world: AdminWorld;

beforeAll(async () => {
  world = await openAdminWorld();
  await connectTestChannel(world.ctx);
});
afterAll(() => world.close());

test.each([
  { typed: "send test", action: "Send a test message", path: "/messages", dialog: "Send a test message" },
  { typed: "create key", action: "Create a key", path: "/keys", dialog: "Create a key" },
  { typed: "pause", action: "Disable channel", path: "/channels/", dialog: "Disable" },
])("$typed opens $action, by keyboard alone", async ({ typed, action, path, dialog }) => {
  const { page, go, close } = await world.open(world.owner);
  await go("/settings");
  await openByKeys(page);
  await page.keyboard.type(typed);
  await page.getByRole("option", { name: action }).first().waitFor();
  // Pages with that word are found before actions.
  await expect
    .poll(async () => {
      const text = await chosen(page);
      if (text?.includes(action) === false) await page.keyboard.press("ArrowDown");
      return text;
    })
    .toContain(action);
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: dialog }).waitFor();
  expect(new URL(page.url()).pathname).toContain(path);
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await expect.poll(() => new URL(page.url()).searchParams.get("dialog")).toBeNull();
  await close();
});

test("an agent finds only those that they may do", async () => {
  const { page, go, close } = await world.open(await world.addMember("agent"));
  await go("/settings");
  await openByKeys(page);
  await field(page).fill("send test");
  await page.getByRole("option", { name: "Send a test message" }).waitFor();
  await field(page).fill("create key");
  await page.getByText("No matches").waitFor();
  await field(page).fill("pause");
  await expect.poll(() => options(page).allTextContents()).toEqual(["Channels"]);
  await close();
});
