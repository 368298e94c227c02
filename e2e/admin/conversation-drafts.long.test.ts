import { afterAll, beforeAll, expect, test } from "vitest";
import type { Conversation } from "@/server/domain/messages/testing";
import { said, write } from "@/server/domain/support/testing";
import { SAMPLES } from "@/server/domain/uploads/testing";
import { type AdminWorld, openAdminWorld } from "./support/admin-world";
import { answerBox, createCustomers, listed, messages, sendButton } from "./support/conversations";
import { refused } from "./support/guard";
import { holdBack } from "./support/hold-back";
import { focused } from "./support/keyboard";

let world: AdminWorld;
let channelId: string;
let customer: (name: string) => Promise<Conversation>;

beforeAll(async () => {
  world = await openAdminWorld();
  ({ channelId, customer } = await createCustomers(world));
});
afterAll(() => world.close());

async function sentTo(threadId: string) {
  const rows = await world.services.sql<{ body: string; quotes: string | null }[]>`
    select content #>> '{text,body}' as body, content #>> '{reply_to,message_id}' as quotes from messages
    where conversation_id = ${threadId} and kind = 'outbound' order by accept_seq`;
  return [...rows];
}

test("an answer whose response was lost is sent once, though its writer looked elsewhere in between", async () => {
  const { threadId } = await customer("Lost Response");
  await customer("Somebody Else");
  const { page, go, close } = await world.open(world.owner, { expects: /net::ERR_/ });
  await page.route(/conversations\.answer/, async (route) => {
    await route.fetch();
    await route.abort("connectionreset");
  });
  await go(`/conversations/${threadId}`);
  await answerBox(page).fill("Once only");
  await sendButton(page).click();
  await page.getByText("The server can’t be reached").waitFor();
  await page.unroute(/conversations\.answer/);
  await page.getByText("Internal note", { exact: true }).click();
  await listed(page, "Somebody Else").click();
  await expect.poll(() => answerBox(page).inputValue()).toBe("");
  await listed(page, "Lost Response").click();
  await page.getByRole("heading", { name: "Lost Response" }).waitFor();
  await page.getByText("Text", { exact: true }).click();
  await expect.poll(() => answerBox(page).inputValue()).toBe("Once only");
  await sendButton(page).click();
  await expect.poll(() => answerBox(page).inputValue()).toBe("");
  await answerBox(page).fill("Once only");
  await sendButton(page).click();
  await expect.poll(async () => (await sentTo(threadId)).length).toBe(2);
  await close();
});

test("the text that is typed while an answer is sent stays, and so does a quote that is chosen then", async () => {
  const { threadId } = await customer("Quick Typist");
  const { page, go, close } = await world.open(world.owner);
  const release = await holdBack(page, /conversations\.answer/);
  await go(`/conversations/${threadId}`);
  await answerBox(page).fill("First");
  await sendButton(page).click();
  await answerBox(page).press("End");
  await page.keyboard.type(" and second");
  await messages(page).getByRole("button", { name: "Message actions" }).first().click();
  await page.getByRole("menuitem", { name: "Reply with a quote" }).click();
  await release();
  await expect.poll(() => answerBox(page).inputValue()).toBe(" and second");
  await page.getByText("Reply to Quick Typist").waitFor();
  expect(await sentTo(threadId)).toEqual([{ body: "First", quotes: null }]);
  await close();
});

test("a draft keeps its text and its quote while another conversation is open", async () => {
  const { threadId, handle } = await customer("Draft Keeper");
  const { id } = await write(world.ctx, channelId, handle, said("Which size?"));
  await customer("In Between");
  const { page, go, close } = await world.open(world.owner);
  await go(`/conversations/${threadId}`);
  await messages(page).getByRole("button", { name: "Message actions: Which size?" }).click();
  await page.getByRole("menuitem", { name: "Reply with a quote" }).click();
  await focused(answerBox(page));
  await page.keyboard.type("Medium");
  await listed(page, "In Between").click();
  await page.getByText("Reply to").waitFor({ state: "detached" });
  await listed(page, "Draft Keeper").click();
  await page.getByText("Reply to Draft Keeper").waitFor();
  await sendButton(page).click();
  await expect.poll(() => sentTo(threadId)).toEqual([{ body: "Medium", quotes: id }]);
  await close();
});

test("a text that is refused because the window closed meanwhile stays in the box, and says why", async () => {
  const { threadId } = await customer("Just Closed");
  const { page, go, close } = await world.open(world.owner, { expects: refused("422 conversations.answer") });
  await go(`/conversations/${threadId}`);
  await answerBox(page).fill("Too late");
  const release = await holdBack(page, /conversations\.get/);
  await world.services.sql`
    update conversations set last_inbound_at = now() - interval '25 hours' where id = ${threadId}`;
  await sendButton(page).click();
  const alert = page.getByRole("form", { name: "Answer" }).getByRole("alert");
  await alert.filter({ hasText: "24 hours" }).waitFor();
  await release();
  await page.getByText("What you have typed stays here").waitFor();
  expect(await answerBox(page).inputValue()).toBe("Too late");
  expect(await sendButton(page).isDisabled()).toBe(true);
  await page.getByText("Template", { exact: true }).click();
  await page.getByText("Only approved templates can be sent.").waitFor();
  await page.getByText("Text", { exact: true }).click();
  expect(await answerBox(page).inputValue()).toBe("Too late");
  expect(await sentTo(threadId)).toEqual([]);
  await close();
});

test("a file that is refused stays with its caption, and says why", async () => {
  const { threadId } = await customer("Erased Upload");
  const { page, go, close } = await world.open(world.owner, { expects: refused("400 conversations.answer") });
  await go(`/conversations/${threadId}`);
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Attach a file" }).click();
  await (await chooser).setFiles({ name: "cat.png", mimeType: "image/png", buffer: SAMPLES.png });
  await page.getByText("Picture · ").waitFor();
  await answerBox(page).fill("A cat");
  await world.services.sql`
    update uploads set erased_at = now()
    where organization_id = ${world.ctx.actor.organizationId} and filename = 'cat.png'`;
  await sendButton(page).click();
  await page.getByRole("form", { name: "Answer" }).getByRole("alert").waitFor();
  await page.getByText("cat.png").waitFor();
  expect(await answerBox(page).inputValue()).toBe("A cat");
  expect(await sentTo(threadId)).toEqual([]);
  await close();
});
