import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { until } from "@/e2e/support/until";
import { personNamed } from "@/server/adapters/whatsapp/person";
import { ensurePersonIn } from "@/server/domain/contacts/ensure";
import { recordPreferenceIn } from "@/server/domain/contacts/record-preference";
import { asMember } from "@/server/domain/organizations/testing";
import type { SendMessageInput } from "../model/send-request";
import {
  addTemplate,
  asKey,
  codeOf,
  type Conversation,
  messageRow,
  openConversation,
  openSendWorld,
  type SendWorld,
} from "../testing";
import { resendMessage } from "./resend";
import { drainChannel } from "../deliver/drain";
import { failWithoutCall } from "../deliver/fail-without-call";
import { sendMessage } from "./send";
import { sendTestMessage } from "./send-test";

let world: SendWorld;
let customer: Conversation;
let marketing: string;

beforeAll(async () => {
  world = await openSendWorld();
  ({ id: marketing } = await addTemplate(world.ctx, world.channelId, { category: "marketing" }));
});
beforeEach(async () => void (customer = await openConversation(world.ctx, world.channelId)));
afterAll(() => world.close());

const decide = (isWanted: boolean, contactId = customer.contactId) =>
  world.sql.begin((tx) =>
    recordPreferenceIn(tx, world.ctx.actor.organizationId, contactId, { isWanted, at: null, source: "api" }),
  );

const bodyOf = (templateId: string, to: Partial<SendMessageInput> = { thread_id: customer.threadId }) => ({
  client_message_id: randomUUID(),
  type: "template" as const,
  template: { template_submission_id: templateId },
  ...to,
});

const toNumber = (handle = customer.handle) => ({ to: { kind: "whatsapp" as const, handle } });

describe("a marketing template to a customer who opted out", () => {
  test("is refused before acceptance, by thread, by number and by id, until the customer opts in", async () => {
    await decide(false);
    const ctx = await asKey(world.ctx);
    const byThread = sendMessage({ ctx, input: bodyOf(marketing) });
    await expect(byThread).rejects.toMatchObject({
      code: "recipient_opted_out",
      field: "thread_id",
      resend: "never",
    });
    const byNumber = sendMessage({ ctx, input: bodyOf(marketing, toNumber()) });
    await expect(byNumber).rejects.toMatchObject({ code: "recipient_opted_out", field: "to.handle" });
    const userId = `DE.${randomUUID().replaceAll("-", "")}`;
    await world.sql.begin((tx) =>
      ensurePersonIn(tx, world.ctx.actor.organizationId, {
        person: personNamed(customer.handle, userId),
        name: null,
        at: new Date(),
      }),
    );
    const byId = sendMessage({
      ctx,
      input: bodyOf(marketing, { to: { kind: "whatsapp_user", user_id: userId } }),
    });
    await expect(byId).rejects.toMatchObject({ code: "recipient_opted_out", field: "to.user_id" });
    const rows = await world.sql`
      select 1 from messages where conversation_id = ${customer.threadId} and kind = 'outbound'`;
    expect(rows).toHaveLength(0);
    await decide(true);
    expect(await codeOf(sendMessage({ ctx, input: bodyOf(marketing) }))).toBeNull();
  });

  test("is answered as before where it repeats a message that was accepted earlier", async () => {
    const input = bodyOf(marketing);
    const { message_id } = await sendMessage({ ctx: world.ctx, input });
    await decide(false);
    expect(await sendMessage({ ctx: world.ctx, input })).toMatchObject({ message_id, deduplicated: true });
  });

  test("is refused to the one person that two contacts proved to be", async () => {
    const userId = `DE.${randomUUID().replaceAll("-", "")}`;
    const { organizationId } = world.ctx.actor;
    const { contactId } = await world.sql.begin((tx) =>
      ensurePersonIn(tx, organizationId, { person: personNamed(userId), name: null, at: new Date() }),
    );
    await decide(false, contactId);
    await world.sql.begin((tx) =>
      ensurePersonIn(tx, organizationId, {
        person: personNamed(customer.handle, userId),
        name: null,
        at: new Date(),
      }),
    );
    expect(await codeOf(sendMessage({ ctx: world.ctx, input: bodyOf(marketing) }))).toBe(
      "recipient_opted_out",
    );
  });

  /** Hands over what is due. Failures without a call are stored in the background. */
  async function handedOver(id: string) {
    await drainChannel(world.services, world.channelId);
    await until("the message has an outcome", async () => (await messageRow(world, id)).state !== "queued");
    return messageRow(world, id);
  }

  test("that waited fails when it would be handed over, and isn't sent", async () => {
    const { message_id: id } = await sendMessage({ ctx: world.ctx, input: bodyOf(marketing) });
    const utility = await addTemplate(world.ctx, world.channelId, { category: "utility" });
    const other = await sendMessage({ ctx: world.ctx, input: bodyOf(utility.id) });
    await decide(false);
    const failed = { state: "failed", errorCode: "recipient_opted_out", attempts: 0 };
    expect(await handedOver(id)).toMatchObject(failed);
    expect(await handedOver(other.message_id)).toMatchObject({ state: "sent" });
    expect(world.upstream.calls.map(({ messageId }) => messageId)).not.toContain(id);
  });

  test("that waited fails too if the person opted out under another name that proved to be theirs", async () => {
    const userId = `DE.${randomUUID().replaceAll("-", "")}`;
    const input = bodyOf(marketing, { to: { kind: "whatsapp_user", user_id: userId } });
    const { message_id: id } = await sendMessage({ ctx: world.ctx, input });
    await decide(false);
    await world.sql.begin((tx) =>
      ensurePersonIn(tx, world.ctx.actor.organizationId, {
        person: personNamed(customer.handle, userId),
        name: null,
        at: new Date(),
      }),
    );
    expect(await handedOver(id)).toMatchObject({ state: "failed", errorCode: "recipient_opted_out" });
  });

  test("is refused to members too, who send it by hand or again", async () => {
    const member = await asMember(world.ctx, "owner");
    const { message_id: messageId } = await sendMessage({ ctx: world.ctx, input: bodyOf(marketing) });
    await failWithoutCall(world.services, [{ id: messageId }], "expired");
    expect(await messageRow(world, messageId)).toMatchObject({ state: "failed" });
    await decide(false);
    const byHand = sendTestMessage({
      ctx: member,
      input: {
        idempotencyToken: randomUUID(),
        channelId: world.channelId,
        number: `+${customer.handle}`,
        content: { type: "template", templateId: marketing, variables: {} },
      },
    });
    await expect(byHand).rejects.toMatchObject({ code: "recipient_opted_out", field: "number" });
    const again = resendMessage({
      ctx: member,
      input: { messageId, idempotencyToken: randomUUID(), acceptRisk: false },
    });
    expect(await codeOf(again)).toBe("recipient_opted_out");
  });
});

test("other templates and texts are still taken from one who opted out, and marketing from everybody else", async () => {
  await decide(false);
  const utility = await addTemplate(world.ctx, world.channelId, { category: "utility" });
  const unknown = await addTemplate(world.ctx, world.channelId);
  for (const { id } of [utility, unknown]) {
    expect(await codeOf(sendMessage({ ctx: world.ctx, input: bodyOf(id) }))).toBeNull();
  }
  const text = { client_message_id: randomUUID(), thread_id: customer.threadId, text: { body: "Hello" } };
  expect(await codeOf(sendMessage({ ctx: world.ctx, input: { ...text, type: "text" } }))).toBeNull();
  const other = await openConversation(world.ctx, world.channelId);
  const input = bodyOf(marketing, { thread_id: other.threadId });
  expect(await codeOf(sendMessage({ ctx: world.ctx, input }))).toBeNull();
});
