import { randomUUID } from "node:crypto";
import type { Page } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createKey } from "@/server/domain/keys/create";
import { newHandle, openConversation, queueText } from "@/server/domain/messages/testing";
import { connectTestChannel } from "@/server/domain/organizations/testing";
import { createOrganization } from "@/server/domain/organizations/create";
import { type AdminWorld, openAdminWorld } from "./support/admin-world";
import { faultsInEachForm } from "./support/forms";
import { focused, tabTo } from "./support/keyboard";
import { chosen, field, openByKeys, options } from "./support/spotlight";

let world: AdminWorld;
let channelId: string;

beforeAll(async () => {
  world = await openAdminWorld();
  channelId = await connectTestChannel(world.ctx);
});
afterAll(() => world.close());

/** A customer with a message to them. */
async function customer(name: string) {
  const conversation = await openConversation(world.ctx, channelId, newHandle());
  await world.services.sql`
    update contacts set name = ${name}
    where organization_id = ${world.ctx.actor.organizationId} and id = ${conversation.contactId}`;
  return { ...conversation, messageId: await queueText(world.ctx, conversation.threadId) };
}

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });

test("Ctrl K or Cmd K finds a page by its name or by what is meant, by keyboard alone", async () => {
  const { page, go, close } = await world.open(world.owner);
  await go("/settings");
  await openByKeys(page);
  await page.keyboard.type("leaked");
  await expect.poll(() => chosen(page)).toContain("API keys");
  await page.keyboard.press("Enter");
  await heading(page, "API keys").waitFor();
  await openByKeys(page, "Meta+k");
  await expect.poll(() => options(page).count()).toBeGreaterThan(8);
  await expect.poll(() => chosen(page)).toBe("Messages");
  await page.keyboard.press("ArrowDown");
  await expect.poll(() => chosen(page)).toBe("Conversations");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await expect.poll(() => chosen(page)).toBe("Documentation");
  await page.keyboard.press("ArrowDown");
  await expect.poll(() => chosen(page)).toBe("Messages");
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  const button = page.getByRole("button", { name: "Search" }).first();
  await tabTo(page, button);
  await page.keyboard.press("Enter");
  await focused(field(page));
  await page.keyboard.press("Escape");
  await focused(button);
  await close();
});

test("a contact and a key are found by name, and a click goes there", async () => {
  await customer("Quentin Quick");
  await createKey({ ctx: world.ctx, input: { name: "Quickest shop" } });
  const { page, go, close } = await world.open(world.owner);
  await go("/contacts");
  await openByKeys(page);
  await field(page).fill("quick");
  await page.getByRole("option", { name: "Quickest shop" }).waitFor();
  await page.getByRole("option", { name: "Quentin Quick" }).click();
  await heading(page, "Quentin Quick").waitFor();
  await openByKeys(page);
  await field(page).fill("est shop");
  await expect
    .poll(() => options(page).allTextContents())
    .toEqual([expect.stringContaining("Quickest shop")]);
  await options(page).click();
  await heading(page, "Quickest shop").waitFor();
  await close();
});

test("whoever pastes an id or a number and presses Enter is where it leads, whatever it is of", async () => {
  const { contactId, handle, messageId } = await customer("Pasted Person");
  const { id: keyId } = await createKey({ ctx: world.ctx, input: { name: "Pasted key" } });
  const { page, go, close } = await world.open(world.owner);
  await go("/settings");
  const spelled = `+${handle.slice(0, 2)} (0) ${handle.slice(2, 5)}-${handle.slice(5)}`;
  for (const [text, address] of [
    [` ${messageId} `, `/messages/${messageId}`],
    [contactId, `/contacts/${contactId}`],
    [keyId, `/keys/${keyId}`],
    [spelled, `/contacts/${contactId}`],
  ] as const) {
    await openByKeys(page);
    await field(page).fill(text);
    await page.keyboard.press("Enter");
    await expect.poll(() => new URL(page.url()).pathname).toMatch(new RegExp(`${address}$`));
    await go("/settings");
  }
  await close();
});

test("an answer that comes late never shows, and only the last text is asked for", async () => {
  await customer("Latecomer Alpha");
  await customer("Overtaken Beta");
  const { page, go, close } = await world.open(world.owner, { expects: /ERR_FAILED|ERR_ABORTED/ });
  await go("/settings");
  const asked: string[] = [];
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(/contacts\.search/, async (route) => {
    const address = decodeURIComponent(route.request().url());
    asked.push(/"q":"([^"]*)"/.exec(address)?.[1] ?? "");
    if (address.includes("latecomer")) await held;
    // The page may have cancelled it in the meantime.
    await route.continue().catch(() => undefined);
  });
  await openByKeys(page);
  await page.keyboard.type("latecomer");
  await expect.poll(() => asked).toEqual(["latecomer"]);
  await field(page).fill("overtaken");
  await page.getByRole("option", { name: "Overtaken Beta" }).waitFor();
  release();
  await field(page).fill("zzzzzz");
  await page.getByText("No matches").waitFor();
  expect(await page.getByRole("option", { name: "Latecomer Alpha" }).count()).toBe(0);
  expect(asked).toEqual(["latecomer", "overtaken", "zzzzzz"]);
  await close();
});

test("a pasted API key is in no address that is asked for, and leads to where it can be revoked", async () => {
  const { secret } = await createKey({ ctx: world.ctx, input: { name: "Secret" } });
  const { page, go, close } = await world.open(world.owner);
  await go("/settings");
  const addresses: string[] = [];
  page.on("request", (request) => addresses.push(request.url() + (request.postData() ?? "")));
  await openByKeys(page);
  await field(page).fill(secret);
  await page.getByText("so this search doesn’t use it").waitFor();
  await page.getByRole("option", { name: "Look up a key" }).click();
  await page.getByRole("textbox", { name: "Key or text" }).waitFor();
  expect(addresses.filter((address) => address.includes(secret.slice(8, 30)))).toEqual([]);
  await close();
});

test("/ goes to the search of the page, and is typed where something is typed", async () => {
  const { page, go, close } = await world.open(world.owner);
  await go("/contacts");
  const search = page.getByRole("textbox", { name: "Search contacts" });
  await search.waitFor();
  await expect
    .poll(async () => {
      await page.keyboard.press("/");
      return search.evaluate((element) => element === document.activeElement);
    })
    .toBe(true);
  await search.fill("");
  await page.keyboard.press("/");
  expect(await search.inputValue()).toBe("/");
  await close();
});

test("it isn’t loaded before it is opened, nor opened over a dialog", async () => {
  const { page, go, close } = await world.open(world.owner);
  const scripts: Promise<string>[] = [];
  page.on("response", (response) => {
    if (response.request().resourceType() === "script") scripts.push(response.text().catch(() => ""));
  });
  const isLoaded = async () =>
    (await Promise.all(scripts)).some((text) => text.includes("this search doesn’t use it"));
  await go("/keys");
  await page.getByRole("table").waitFor();
  expect(await isLoaded()).toBe(false);
  await openByKeys(page);
  expect(await isLoaded()).toBe(true);
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Look up a key" }).click();
  await page.getByRole("textbox", { name: "Key or text" }).waitFor();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("typed here");
  expect(await page.getByRole("textbox", { name: "Key or text" }).inputValue()).toBe("typed here");
  expect(await field(page).count()).toBe(0);
  await close();
});

test("what is typed before the search is there isn’t lost", async () => {
  const { page, go, close } = await world.open(world.owner);
  await go("/settings");
  // Its code is held back until everything is typed.
  let allTyped: () => void = () => undefined;
  const isTyped = new Promise<void>((resolve) => {
    allTyped = resolve;
  });
  await page.route(/\/_next\/static\/chunks\//, async (route) => {
    await isTyped;
    await route.continue();
  });
  const before = page.url();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("leakk", { delay: 20 });
  await page.keyboard.press("Backspace");
  await page.keyboard.type("ed /");
  expect(await field(page).isVisible()).toBe(false);
  allTyped();
  await focused(field(page));
  expect(await field(page).inputValue()).toBe("leaked /");
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Backspace");
  await expect.poll(() => chosen(page)).toContain("API keys");
  expect(page.url()).toBe(before);
  await close();
});

describe("what who looks may not do", () => {
  test("an agent finds no keys, and no pages that they may not open", async () => {
    const name = `Hidden ${randomUUID()}`;
    await createKey({ ctx: world.ctx, input: { name } });
    const { page, go, close } = await world.open(await world.addMember("agent"));
    await go("/messages");
    await openByKeys(page);
    await expect.poll(() => options(page).count()).toBeGreaterThan(5);
    for (const label of ["API keys", "Audit log", "Members"]) {
      expect(await page.getByRole("option", { name: label }).count()).toBe(0);
    }
    await field(page).fill(name);
    await page.getByText("No matches").waitFor();
    await close();
  });

  test("another organization’s things aren’t found, by name or by id", async () => {
    const { ctx } = await createOrganization({
      services: world.services,
      job: "test",
      input: { name: "Other" },
    });
    const key = await createKey({ ctx, input: { name: "Foreign key" } });
    const foreign = await openConversation(ctx, await connectTestChannel(ctx));
    const message = await queueText(ctx, foreign.threadId);
    const { page, go, close } = await world.open(world.owner);
    await go("/messages");
    await openByKeys(page);
    for (const text of ["Foreign key", key.id, foreign.contactId, foreign.handle, message]) {
      await field(page).fill(text);
      await page.getByText("No matches").waitFor();
      expect(await options(page).count()).toBe(0);
      await field(page).fill("");
    }
    await close();
  });
});

test("axe finds nothing wrong in light, dark and narrow", async () => {
  const { handle } = await customer("W".repeat(150));
  const { page, go, close } = await world.open(world.owner);
  const check = async (what: string) => expect([what, ...(await faultsInEachForm(page))]).toEqual([what]);
  await go("/settings");
  await page.getByRole("button", { name: "Search" }).and(page.locator(":visible")).click();
  await options(page).first().waitFor();
  await check("pages");
  await field(page).fill(handle);
  await page.getByRole("group", { name: "Messages" }).getByRole("option").waitFor();
  await check("found");
  await field(page).fill("zzzzzz");
  await page.getByText("No matches").waitFor();
  await check("nothing");
  await page.getByRole("dialog").press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await check("closed");
  await close();
});
