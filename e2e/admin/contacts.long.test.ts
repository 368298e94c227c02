import { randomUUID } from "node:crypto";
import type { Page } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openApi, type Api } from "@/e2e/support/api";
import { until } from "@/e2e/support/until";
import { createKey } from "@/server/domain/keys/create";
import { newHandle, openConversation } from "@/server/domain/messages/testing";
import { connectTestChannel } from "@/server/domain/organizations/testing";
import { createOrganization } from "@/server/domain/organizations/create";
import { type AdminWorld, openAdminWorld } from "./support/admin-world";
import { faultsInEachForm } from "./support/forms";
import { refused } from "./support/guard";
import { holdBack } from "./support/hold-back";
import { focused, tabTo } from "./support/keyboard";
import { row } from "./support/parts";
import { nowhereInDatabase } from "./support/secrecy";

let world: AdminWorld;
let api: Api;
let key: string;
let channelId: string;

beforeAll(async () => {
  world = await openAdminWorld();
  api = await openApi(world.server.baseUrl);
  key = (await createKey({ ctx: world.ctx, input: { name: "Shop" } })).secret;
  channelId = await connectTestChannel(world.ctx);
});
afterAll(() => world.close());

/** A customer with a name of their own who has just written. */
async function customer(name: string) {
  const conversation = await openConversation(world.ctx, channelId, newHandle());
  await world.services.sql`
    update contacts set name = ${name}
    where organization_id = ${world.ctx.actor.organizationId} and id = ${conversation.contactId}`;
  return conversation;
}

/** Adds WhatsApp's own id to a contact with a number. */
async function addUserId(contactId: string, userId: string): Promise<void> {
  await world.services.sql`
    insert into contact_identities (id, organization_id, contact_id, kind, handle, canonical)
    values (gen_random_uuid(), ${world.ctx.actor.organizationId}, ${contactId}, 'bsuid', ${userId}, ${userId})`;
}

const searchBox = (page: Page) => page.getByRole("textbox", { name: "Search contacts" });

/** The number as copied from a phone. */
const spelledOut = (handle: string) =>
  `+${handle.slice(0, 2)} (0)${handle.slice(2, 5)} / ${handle.slice(5, 9)}-${handle.slice(9)}`;

test("a contact is found by name and by number in any spelling, and the address keeps the search", async () => {
  const { handle } = await customer("Zoë Łukasz García");
  const { page, go, close } = await world.open(world.owner);
  await go("/contacts");
  await page.getByRole("table").waitFor();
  for (const typed of ["zoe", "garcia z", "lukasz", spelledOut(handle), handle.slice(-7)]) {
    await searchBox(page).fill(typed);
    await expect.poll(() => page.getByRole("row").count(), { message: typed }).toBe(2);
    await row(page, "Zoë Łukasz García").waitFor();
  }
  await expect.poll(() => new URL(page.url()).searchParams.get("q")).toBe(handle.slice(-7));
  await page.reload();
  await row(page, "Zoë Łukasz García").waitFor();
  expect(await searchBox(page).inputValue()).toBe(handle.slice(-7));
  await searchBox(page).fill("Nobody of that name");
  await page.getByText("No matches").waitFor();
  await page.getByRole("button", { name: "Clear search" }).click();
  await row(page, "Zoë Łukasz García").waitFor();
  await close();
});

test("a list longer than a page goes back and forth, and Back leads where one was", async () => {
  const { organizationId } = world.ctx.actor;
  await world.services.sql`
    insert into contacts (id, organization_id, name)
    select ('0190' || substr(gen_random_uuid()::text, 5))::uuid, ${organizationId}, 'Pagetest ' || i
    from generate_series(1, 60) i`;
  const { page, go, close } = await world.open(world.owner);
  await go("/contacts?q=pagetest");
  await expect.poll(() => page.getByRole("row").count()).toBe(51);
  const release = await holdBack(page, /contacts\.search/);
  const older = page.getByRole("button", { name: "Older" });
  await older.click();
  // A second click would follow the same link once more.
  await expect.poll(() => older.isDisabled()).toBe(true);
  await release();
  await expect.poll(() => page.getByRole("row").count()).toBe(11);
  await page.reload();
  await expect.poll(() => page.getByRole("row").count()).toBe(11);
  await page.goBack();
  await expect.poll(() => page.getByRole("row").count()).toBe(51);
  await world.services.sql`
    delete from contacts where organization_id = ${organizationId} and name like 'Pagetest %'`;
  await close();
});

test("a contact’s page says what can be sent, leads to the messages, and erases for good once the number is typed", async () => {
  const name = `Erika ${randomUUID()}`;
  const { handle, contactId, threadId } = await customer(name);
  const said = `secret ${randomUUID()}`;
  await world.services.sql`
      update channels set paused_at = now(), pause_reason = 'token_invalid' where id = ${channelId}`;
  const { status } = await api.call({
    method: "POST",
    path: "/messages",
    key,
    json: { client_message_id: randomUUID(), type: "text", thread_id: threadId, text: { body: said } },
  });
  expect(status).toBe(201);
  const { page, go, close } = await world.open(world.owner);
  await go(`/contacts?q=${handle}`);
  await row(page, name).getByRole("link").click();
  await page.getByRole("heading", { level: 1, name }).waitFor();
  await page.getByText(`+${handle}`).waitFor();
  const conversation = row(page, "Test channel");
  await conversation.getByText("open", { exact: true }).waitFor();
  await conversation.getByText("paused", { exact: true }).click();
  await page.waitForURL(new RegExp(`/conversations/${threadId}`));
  await page.goBack();
  await conversation.getByRole("link", { name: "Messages on Test channel" }).click();
  await page.waitForURL(/\/messages\?/);
  await page.getByRole("link", { name: said }).waitFor();
  await page.goBack();
  await page.getByRole("button", { name: "Erase" }).click();
  const dialog = page.getByRole("dialog", { name: `Erase ${name}` });
  await dialog.getByText("the content of 2 messages").waitFor();
  await dialog.getByText("1 message not sent yet").waitFor();
  await dialog.getByText("the IDs, states and times of messages").waitFor();
  const erase = dialog.getByRole("button", { name: "Erase permanently" });
  await dialog.getByRole("textbox").fill(handle.slice(0, -1));
  expect(await erase.isDisabled()).toBe(true);
  await dialog.getByRole("textbox").fill(`+${handle.slice(0, 2)} ${handle.slice(2)}`);
  await erase.dblclick();
  await page.getByText("the content of 2 messages were erased. 1 message will not be sent.").waitFor();
  await page.getByRole("heading", { level: 1, name: "Erased contact" }).waitFor();
  await page.getByText("Their delivery status is kept").waitFor();
  expect(await page.getByRole("columnheader", { name: "Window" }).count()).toBe(0);
  expect(await page.getByText("Marketing").count()).toBe(0);
  expect(await page.getByRole("button", { name: "Erase" }).count()).toBe(0);
  for (const word of [handle, said, name]) {
    expect(await nowhereInDatabase(world.services.sql, word)).toEqual([]);
  }
  await page.reload();
  await page.getByText("The name, the numbers and the content of the messages are gone").waitFor();
  expect(await page.content()).not.toContain(name);
  const acts = await world.services.sql`
      select from audit_log where organization_id = ${world.ctx.actor.organizationId}
        and action = 'contact.erased' and subject_id = ${contactId}`;
  expect(acts).toHaveLength(1);
  await close();
  await world.services.sql`update channels set paused_at = null, pause_reason = null where id = ${channelId}`;
});

test("all of it works by keyboard alone, and Escape erases nothing", async () => {
  const { handle, contactId } = await customer("Karla Keys");
  const { page, go, close } = await world.open(world.owner);
  await go("/contacts");
  await tabTo(page, searchBox(page));
  await page.keyboard.type("karla");
  await expect.poll(() => new URL(page.url()).searchParams.get("q")).toBe("karla");
  await expect.poll(() => page.getByRole("row").count()).toBe(2);
  await tabTo(page, page.getByRole("link", { name: "Karla Keys" }));
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Karla Keys" }).waitFor();
  const opener = page.getByRole("button", { name: "Erase" });
  await tabTo(page, opener);
  await page.keyboard.press("Enter");
  const field = page.getByRole("textbox", { name: "Number of the contact" });
  await focused(field);
  await page.keyboard.type("1");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await focused(opener);
  const [before] = await world.services.sql`
    select erased_at from contacts where organization_id = ${world.ctx.actor.organizationId} and id = ${contactId}`;
  expect(before).toEqual({ erased_at: null });
  await page.keyboard.press("Enter");
  await focused(field);
  expect(await field.inputValue()).toBe("");
  await page.keyboard.type(handle);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Erased contact" }).waitFor();
  await close();
});

test("another organization’s contact has no page, like one that never was", async () => {
  const { ctx } = await createOrganization({
    services: world.services,
    job: "test",
    input: { name: "Other" },
  });
  const foreign = await openConversation(ctx, await connectTestChannel(ctx));
  const { page, close } = await world.open(world.owner, { expects: refused("404 /o/*/contacts/*") });
  for (const id of [foreign.contactId, "01900000-0000-7000-8000-000000000000", "no-id"]) {
    const address = `${world.server.baseUrl}/o/${world.ctx.actor.organizationId}/contacts/${id}`;
    const response = await page.goto(address);
    expect(response?.status()).toBe(404);
    await page.getByRole("heading", { name: "This contact doesn’t exist" }).waitFor();
    expect(await page.content()).not.toContain(foreign.handle);
  }
  await close();
});

describe("contacts.erase", () => {
  test("an agent looks at a contact, and isn’t offered to erase it, also where the address asks for it", async () => {
    const { contactId } = await customer("Looked at");
    await addUserId(contactId, "US.13491208655302741918");
    const { page, go, close } = await world.open(await world.addMember("agent"));
    await go(`/contacts/${contactId}?dialog=erase`);
    await page.getByRole("heading", { level: 1, name: "Looked at" }).waitFor();
    await page.getByRole("heading", { name: "Conversations" }).waitFor();
    const userId = page
      .getByText("Business-scoped user ID (BSUID)", { exact: true })
      .locator("xpath=following-sibling::dd[1]");
    expect(await userId.textContent()).toBe("US.13491208655302741918");
    expect(await page.getByRole("button", { name: "Erase" }).count()).toBe(0);
    expect(await page.getByRole("dialog").count()).toBe(0);
    await close();
  });

  test("an agent who was given it erases", async () => {
    const { contactId, handle } = await customer("Erased by an agent");
    const { page, go, close } = await world.open(await world.addMember("agent", ["contacts.erase"]));
    await go(`/contacts/${contactId}?dialog=erase`);
    const number = page.getByRole("textbox", { name: "Number of the contact" });
    await number.waitFor();
    expect(await page.getByText("Waypost keeps:").isVisible(), "what stays is said with the form").toBe(true);
    await until("the number can be typed at once", () =>
      number.evaluate((field) => field === document.activeElement),
    );
    await page.keyboard.type(handle);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Erased contact" }).waitFor();
    expect(await nowhereInDatabase(world.services.sql, handle)).toEqual([]);
    await close();
  });
});

test("axe finds nothing wrong in light, dark and narrow", async () => {
  const { contactId, handle } = await customer(`${"W".repeat(120)} ${"i".repeat(60)}`);
  await world.services.sql`
    update contacts set marketing_opted_out_at = now()
    where organization_id = ${world.ctx.actor.organizationId} and id = ${contactId}`;
  await world.services.sql`
    update contact_identities set refused_at = now()
    where organization_id = ${world.ctx.actor.organizationId} and contact_id = ${contactId}`;
  const { page, go, close } = await world.open(world.owner, { expects: refused("404 /o/*/contacts/*") });
  const check = async (what: string) => expect([what, ...(await faultsInEachForm(page))]).toEqual([what]);
  await go("/contacts");
  await page.getByRole("table").waitFor();
  await check("list");
  await go("/contacts?q=nobody");
  await page.getByText("No matches").waitFor();
  await check("nobody");
  await go(`/contacts/${contactId}`);
  await page.getByRole("table").waitFor();
  await check("contact");
  await page.getByRole("button", { name: "Erase" }).click();
  await page.getByText("Waypost keeps:").waitFor();
  await check("erase");
  await page.getByRole("textbox", { name: "Number of the contact" }).fill(handle);
  await page.getByRole("button", { name: "Erase permanently" }).click();
  await page.getByRole("heading", { level: 1, name: "Erased contact" }).waitFor();
  await check("erased contact");
  await go("/contacts/no-id");
  await page.getByRole("heading", { name: "This contact doesn’t exist" }).waitFor();
  await check("not found");
  await close();
});
