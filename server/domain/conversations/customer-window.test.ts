import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { SystemActor } from "@/server/core/actor";
import { inspectContact } from "@/server/domain/contacts/inspect";
import { searchContacts } from "@/server/domain/contacts/search";
import type { Context } from "@/server/core/context";
import { asMember, connectTestChannel, createTestOrganization } from "@/server/domain/organizations/testing";
import { openAttempts } from "@/server/domain/messages/deliver/open-attempts";
import { sendMessage } from "@/server/domain/messages/send/send";
import {
  codeOf,
  type Conversation,
  newHandle,
  openConversation,
  openSendWorld,
  queueText,
  type SendWorld,
  textTo,
} from "@/server/domain/messages/testing";

let world: SendWorld;
let ctx: Context<SystemActor>;
let member: Context;
let channelId: string;

beforeAll(async () => {
  world = await openSendWorld();
  ctx = await createTestOrganization(world.services);
  member = await asMember(ctx, "owner");
  channelId = await connectTestChannel(ctx, true);
});
afterAll(() => world.close());

/** Returns the message, claimed, in its state before its call. */
async function claimed(id: string) {
  const claimToken = randomUUID();
  await world.sql`
    update messages set claim_token = ${claimToken}, claimed_until = now() + interval '1 minute' where id = ${id}`;
  return { id, organizationId: ctx.actor.organizationId, channelId, claimToken };
}

const textToNumber = (handle: string) => ({
  client_message_id: randomUUID(),
  type: "text" as const,
  to: { kind: "whatsapp" as const, handle },
  text: { body: "Good morning" },
});

/** Returns the state of the window in each place that knows it. */
async function windowOf({ handle, threadId, contactId }: Conversation, queuedId: string) {
  const message = await claimed(queuedId);
  const { opened, failing } = await openAttempts(world.services, [message]);
  const contact = await inspectContact({ ctx: member, input: { contactId } });
  const { data } = await searchContacts({ ctx: member, input: { limit: 100 } });
  return {
    sentToThread: await codeOf(sendMessage({ ctx, input: textTo(threadId) })),
    sentToNumber: await codeOf(sendMessage({ ctx, input: textToNumber(handle) })),
    called: opened.length === 1 ? null : failing[0]?.code,
    isShownOpen: contact.conversations[0]?.windowOpenUntil !== null,
    isListedOpen: data.find(({ id }) => id === contactId)?.windowOpenUntil !== null,
  };
}

const said = (isOpen: boolean) => {
  const code = isOpen ? null : "outside_customer_window";
  return {
    sentToThread: code,
    sentToNumber: code,
    called: code,
    isShownOpen: isOpen,
    isListedOpen: isOpen,
  };
};

/** In hours from now: when the customer wrote, when WhatsApp reported the window as closed, until when unknown ones are open. */
test.each([
  { wrote: -1, closed: null, unknownUntil: null, isOpen: true },
  { wrote: -23.9, closed: null, unknownUntil: null, isOpen: true },
  { wrote: -24.1, closed: null, unknownUntil: null, isOpen: false },
  { wrote: -24.1, closed: null, unknownUntil: 1, isOpen: false },
  { wrote: -2, closed: -1, unknownUntil: null, isOpen: false },
  { wrote: -2, closed: -1, unknownUntil: 1, isOpen: false },
  { wrote: -1, closed: -1, unknownUntil: null, isOpen: false },
  { wrote: -1, closed: -2, unknownUntil: null, isOpen: true },
  { wrote: null, closed: null, unknownUntil: null, isOpen: false },
  { wrote: null, closed: null, unknownUntil: 1, isOpen: true },
  { wrote: null, closed: null, unknownUntil: -1, isOpen: false },
  { wrote: null, closed: -1, unknownUntil: 1, isOpen: false },
])(
  "a window is open ($isOpen) to requests, calls and pages alike: wrote $wrote h, closed $closed h, unknown until $unknownUntil h",
  async ({ wrote, closed, unknownUntil, isOpen }) => {
    const conversation = await openConversation(ctx, channelId);
    const queuedId = await queueText(ctx, conversation.threadId);
    await world.sql`
      with t as (select now() as now)
      update conversations set last_inbound_at = t.now + ${wrote}::float8 * interval '1 hour',
        window_closed_at = t.now + ${closed}::float8 * interval '1 hour'
      from t where id = ${conversation.threadId}`;
    await world.sql`
      update channels set unknown_window_open_until = now() + ${unknownUntil}::float8 * interval '1 hour'
      where id = ${channelId}`;
    expect(await windowOf(conversation, queuedId)).toEqual(said(isOpen));
  },
);

test.each([
  { unknownUntil: null, code: "outside_customer_window" },
  { unknownUntil: 1, code: null },
  { unknownUntil: -1, code: "outside_customer_window" },
])(
  "a number without a conversation: unknown until $unknownUntil h, $code",
  async ({ unknownUntil, code }) => {
    await world.sql`
    update channels set unknown_window_open_until = now() + ${unknownUntil}::float8 * interval '1 hour'
    where id = ${channelId}`;
    expect(await codeOf(sendMessage({ ctx, input: textToNumber(newHandle()) }))).toBe(code);
  },
);
