import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { InboundContent } from "@/server/adapters/whatsapp/inbound-content";
import { personNamed } from "@/server/adapters/whatsapp/person";
import {
  addTemplate,
  type Conversation,
  newHandle,
  openConversation,
  openSendWorld,
  queueText,
  type SendWorld,
} from "../testing";
import { receiveMessage } from "./receive";

let world: SendWorld;
beforeAll(async () => void (world = await openSendWorld()));
afterAll(() => world.close());

/** Receives what a customer said. @returns whether they opted out. */
async function optsOut(content: InboundContent, { handle, contactId }: Conversation): Promise<boolean> {
  const message = { channelId: world.channelId, from: personNamed(handle), profileName: null, content };
  const facts = { upstreamId: `wamid.${randomUUID()}`, at: new Date(), opensWindow: true, becomes: null };
  await receiveMessage({ ctx: world.ctx, input: { ...message, ...facts } });
  const [contact] = await world.sql<{ isOut: boolean }[]>`
    select marketing_opted_out_at is not null as "isOut" from contacts where id = ${contactId}`;
  return contact?.isOut === true;
}

const customer = () => openConversation(world.ctx, world.channelId, newHandle());

test.each([
  ["a text", { type: "text", text: { body: "Stop" } }, true],
  ["a template's button", { type: "button", reply: { id: "unsubscribe", title: "Stop" } }, true],
  ["a template's button with another title", { type: "button", reply: { id: "STOP", title: "No" } }, false],
  ["a button of a conversation", { type: "interactive", reply: { id: "1", title: "Cancel" } }, false],
])("%s opts out, if it is a word: %j: %j", async (_, content, isDecision) => {
  expect(await optsOut(content, await customer())).toBe(isDecision);
});

test.each([
  ["marketing", true],
  ["utility", false],
] as const)("a button of a template of the category %s opts out: %j", async (category, isDecision) => {
  const conversation = await customer();
  const template = await addTemplate(world.ctx, world.channelId, { category });
  const upstreamId = `wamid.${randomUUID()}`;
  await world.sql`
    update messages set template_id = ${template.id}, upstream_id = ${upstreamId}
    where id = ${await queueText(world.ctx, conversation.threadId)}`;
  const content = {
    type: "button",
    reply: { id: "cancel", title: "Cancel" },
    reply_to: { upstream_id: upstreamId },
  };
  expect(await optsOut(content, conversation)).toBe(isDecision);
});
