import { afterAll, beforeAll, expect, test } from "vitest";
import { addTemplate, type Conversation, queueText } from "@/server/domain/messages/testing";
import { closeConversation } from "@/server/domain/support/set-status";
import { said, write } from "@/server/domain/support/testing";
import { axeViolations } from "./support/axe";
import { type AdminWorld, openAdminWorld } from "./support/admin-world";
import { answerBox, createCustomers, listed, messages, sendButton } from "./support/conversations";
import { SIZES } from "./support/forms";
import { enter, focused, press } from "./support/keyboard";

let world: AdminWorld;
let channelId: string;
let customer: (name: string) => Promise<Conversation>;

beforeAll(async () => {
  world = await openAdminWorld();
  ({ channelId, customer } = await createCustomers(world));
});
afterAll(() => world.close());

async function rowOf(threadId: string) {
  const [row] = await world.services.sql<{ status: string; assigneeId: string | null }[]>`
    select status, assignee_id as "assigneeId" from conversations where id = ${threadId}`;
  return row;
}

test("a customer is found by name and by number, opened, answered, noted, assigned, closed and reopened", async () => {
  const { handle, threadId } = await customer("Zoë Łukasz García");
  await customer("Somebody Else");
  const { page, go, close } = await world.open(world.owner);
  await go("/conversations");
  const search = page.getByRole("textbox", { name: "Search conversations" });
  for (const typed of ["zoe", `+${handle.slice(0, 2)} (0)${handle.slice(2)}`, handle.slice(-7)]) {
    await search.fill("");
    await listed(page, "Somebody Else").waitFor();
    await search.fill(typed);
    await listed(page, "Somebody Else").waitFor({ state: "detached" });
    await listed(page, "Zoë").waitFor();
  }
  await listed(page, "Zoë").click();
  await messages(page).getByText("Hello", { exact: true }).waitFor();
  await answerBox(page).fill("Good morning, Zoë");
  await sendButton(page).click();
  await messages(page).getByText("Good morning, Zoë").waitFor();
  expect(await answerBox(page).inputValue()).toBe("");
  await page.getByText("Internal note", { exact: true }).click();
  await page.getByRole("textbox", { name: "Internal note" }).fill("Prefers mornings");
  await page.getByRole("button", { name: "Add note" }).click();
  await messages(page).getByText("Prefers mornings").waitFor();
  await page
    .getByRole("region", { name: "Conversation", exact: true })
    .getByLabel("Assignee")
    .selectOption({ index: 1 });
  await expect.poll(async () => (await rowOf(threadId))?.assigneeId).not.toBeNull();
  await messages(page).getByText("Demo owner self-assigned the conversation").waitFor();
  await page.getByRole("button", { name: "Close", exact: true }).click();
  await page.getByRole("button", { name: "Reopen" }).waitFor();
  expect((await rowOf(threadId))?.status).toBe("closed");
  await page.getByRole("button", { name: "Reopen" }).click();
  await page.getByRole("button", { name: "Close", exact: true }).waitFor();
  await messages(page).getByText("Demo owner reopened the conversation").waitFor();
  const lines = await messages(page).getByRole("listitem").allTextContents();
  const order = ["Hello", "Good morning", "Prefers mornings", "self-assigned", "closed", "reopened"];
  const shown = lines.map((line) => order.find((words) => line.includes(words)));
  expect(shown.filter((words) => words !== undefined)).toEqual(order);
  const [note] = await world.services.sql`
    select state from messages where conversation_id = ${threadId} and kind = 'note'`;
  expect(note).toEqual({ state: null });
  await close();
});

test("the box says before one writes why a message wouldn't arrive, and what helps", async () => {
  // A pause would hold back the messages of the other tests.
  const own = await createCustomers(world);
  const { handle, threadId, contactId } = await own.customer("Hard To Reach");
  const { sql } = world.services;
  const { page, go, close } = await world.open(world.owner);
  await go(`/conversations/${threadId}`);
  const form = page.getByRole("form", { name: "Answer" });
  const shows = (words: string) => form.getByText(words).waitFor();
  await answerBox(page).waitFor();
  expect(await form.getByRole("note").count()).toBe(0);
  await sql`update contact_identities set refused_at = now() where handle = ${handle}`;
  await shows("This customer can’t be reached on WhatsApp");
  await shows("Check the number, or contact the customer in another way.");
  await write(world.ctx, own.channelId, handle, said("I am here"));
  await form.getByText("This customer can’t be reached on WhatsApp").waitFor({ state: "detached" });
  await sql`update contacts set marketing_opted_out_at = now() where id = ${contactId}`;
  const { name } = await addTemplate(world.ctx, own.channelId, { category: "marketing" });
  await form.getByText("Template", { exact: true }).click();
  await shows("Other templates still reach the customer.");
  await page.reload();
  await form.getByText("Template", { exact: true }).click();
  await form.getByRole("combobox", { name: "Template" }).click();
  await page.getByRole("option", { name: new RegExp(name) }).click();
  await shows("This template is for marketing, so it is refused. Choose one that isn’t.");
  await sql`
    update channels set paused_at = now(), pause_reason = 'credentials_invalid' where id = ${own.channelId}`;
  await shows("The channel is paused");
  await form.getByRole("link", { name: "See what to do" }).waitFor();
  await sql`
    update channels set paused_at = null, pause_reason = null, disabled_at = now() where id = ${own.channelId}`;
  await shows("The channel is disabled: nothing can be sent");
  expect(await sendButton(page).isDisabled()).toBe(true);
  await sql`update channels set disabled_at = null where id = ${own.channelId}`;
  await form.getByText("The channel is disabled").waitFor({ state: "detached" });
  await close();
});

test("failures, quotes, reactions, deletions, both directions of writing and long texts are in their place", async () => {
  const { handle, threadId } = await customer("Many Kinds");
  const { ctx, services } = world;
  const failedId = await queueText(ctx, threadId);
  await services.sql`
    update messages set state = 'failed', failed_at = now(), error_code = 'undeliverable',
      error_detail = '{"upstreamCode": 131026}' where id = ${failedId}`;
  const first = await write(ctx, channelId, handle, said("Which one?"));
  await write(ctx, channelId, handle, { ...said("That one"), reply_to: { upstream_id: first.upstreamId } });
  await write(ctx, channelId, handle, {
    type: "reaction",
    reaction: { upstream_id: first.upstreamId, emoji: "👍" },
  });
  await write(ctx, channelId, handle, { type: "revoke", revokes: { upstream_id: first.upstreamId } });
  await write(ctx, channelId, handle, said("مرحبا، أين طلبي؟"));
  await write(ctx, channelId, handle, said("long ".repeat(819)));
  const { page, go, close } = await world.open(world.owner);
  await go(`/conversations/${threadId}`);
  const log = messages(page);
  await log.getByText("Failed.").waitFor();
  await log.getByText("deleted by the customer").waitFor();
  await page.locator(`#entry-${first.id}`).getByText("👍").waitFor();
  expect(await log.getByText("Reaction 👍").count()).toBe(0);
  const rtl = log.getByText("مرحبا، أين طلبي؟");
  expect(await rtl.evaluate((element) => getComputedStyle(element).direction)).toBe("rtl");
  await log.getByRole("button", { name: /Go to the quoted message/ }).click();
  await focused(page.locator(`#entry-${first.id}`));
  const width = await log.evaluate((element) => element.scrollWidth - element.clientWidth);
  expect(width).toBe(0);
  await close();
});

test("a message that arrives shows by itself", async () => {
  const { handle, threadId } = await customer("Live One");
  const { page, go, close } = await world.open(world.owner);
  await go(`/conversations/${threadId}`);
  await messages(page).getByText("Hello", { exact: true }).waitFor();
  await write(world.ctx, channelId, handle, said("Still there?"));
  await expect.poll(() => messages(page).getByText("Still there?").isVisible()).toBe(true);
  await close();
});

test("the list is limited to a state and an assignee, and Back undoes a filter", async () => {
  await customer("Still Open");
  const closed = await customer("Long Closed");
  await world.services.sql`update conversations set status = 'closed' where id = ${closed.threadId}`;
  const { page, go, close } = await world.open(world.owner);
  await go("/conversations");
  await listed(page, "Still Open").waitFor();
  const choose = (filter: string, label: string) =>
    page.getByRole("search", { name: "Conversations" }).getByLabel(filter).selectOption({ label });
  await choose("State", "Closed");
  await listed(page, "Still Open").waitFor({ state: "detached" });
  expect(await listed(page, "Long Closed").isVisible()).toBe(true);
  await choose("Assignee", "Assigned to me");
  await page.getByText("No matches").waitFor();
  await page.goBack();
  await listed(page, "Long Closed").waitFor();
  await page.getByRole("button", { name: "Clear", exact: true }).click();
  await listed(page, "Still Open").waitFor();
  await close();
});

test("the keyboard alone opens a conversation, answers it, and opens a message", async () => {
  await customer("Key Board");
  const { page, go, close } = await world.open(world.owner);
  await go("/conversations?q=key+board");
  await listed(page, "Key Board").waitFor();
  await enter(page, listed(page, "Key Board"));
  await messages(page).getByText("Hello", { exact: true }).waitFor();
  await focused(answerBox(page));
  await page.keyboard.type("By keyboard");
  await page.keyboard.press("Control+Enter");
  await messages(page).getByText("By keyboard").waitFor();
  await focused(answerBox(page));
  const actions = messages(page).getByRole("button", { name: "Message actions" }).first();
  await press(page, actions, "Enter");
  await page.getByRole("menuitem", { name: "Reply with a quote" }).waitFor();
  await page.keyboard.press("Escape");
  await focused(actions);
  expect(await page.getByRole("menu").count()).toBe(0);
  await close();
});

test("list and conversation pass axe in light and dark, and at 390 pixels one is shown at a time", async () => {
  const { threadId } = await customer("Narrow Screen");
  await closeConversation({ ctx: world.ctx, input: { threadId } });
  const { page, go, close } = await world.open(world.owner);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await go(`/conversations/${threadId}`);
    await messages(page).getByText("Waypost closed the conversation").waitFor();
    expect(await axeViolations(page), colorScheme).toEqual([]);
  }
  await page.setViewportSize(SIZES.narrow);
  const search = page.getByRole("textbox", { name: "Search conversations" });
  await expect.poll(() => search.isVisible()).toBe(false);
  const width = () => page.evaluate(() => document.documentElement.scrollWidth);
  await expect.poll(width).toBe(SIZES.narrow.width);
  await page.getByRole("link", { name: "All conversations" }).click();
  await listed(page, "Narrow Screen").waitFor();
  await expect.poll(() => answerBox(page).isVisible()).toBe(false);
  // The title follows the navigation.
  await expect.poll(() => axeViolations(page)).toEqual([]);
  await close();
});
