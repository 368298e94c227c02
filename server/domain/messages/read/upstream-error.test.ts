import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SystemActor } from "@/server/core/actor";
import { eraseContact } from "@/server/domain/erasure/erase-contact";
import type { Context } from "@/server/core/context";
import { ERRORS } from "@/server/platform/errors";
import { asMember, connectTestChannel, createTestOrganization } from "@/server/domain/organizations/testing";
import { addEndpoint, deliveriesOf } from "@/server/domain/webhooks/testing";
import { readAnswer } from "@/server/adapters/whatsapp/answer";
import { readStatus } from "@/server/adapters/whatsapp/statuses";
import { upstreamOutcome } from "@/server/adapters/whatsapp/outcomes";
import { applyStatuses } from "../status/apply-statuses";
import { getMessage } from "./get";
import { inspectMessage } from "./inspect";
import { listMessages } from "./list";
import { openAttempts } from "../deliver/open-attempts";
import { recordOutcomes } from "../deliver/record-outcomes";
import { searchMessages } from "./search";
import { sendMessage } from "../send/send";
import { settleUncalled } from "../deliver/settle-uncalled";
import { openConversation, openSendWorld, queueText, type SendWorld, startCall, textTo } from "../testing";

let world: SendWorld;
let ctx: Context<SystemActor>;
let channelId: string;

beforeAll(async () => {
  world = await openSendWorld();
  ctx = await createTestOrganization(world.services);
  channelId = await connectTestChannel(ctx);
});
afterAll(() => world.close());

async function newMessage() {
  const conversation = await openConversation(ctx, channelId);
  return { ...conversation, id: await queueText(ctx, conversation.threadId) };
}

async function answered(messageId: string, error: Readonly<Record<string, unknown>>): Promise<void> {
  const { attemptId } = await startCall(world, messageId);
  const outcome = readAnswer(400, JSON.stringify({ error }));
  await recordOutcomes(world.services, [{ attemptId, messageId, outcome }]);
}

async function failedBy(messageId: string, error: Readonly<Record<string, unknown>>): Promise<void> {
  const entry = {
    id: `wamid.${messageId}`,
    status: "failed",
    biz_opaque_callback_data: messageId,
    errors: [error],
  };
  const report = readStatus(entry)?.report;
  if (!report) throw new Error("The status can't be read");
  await applyStatuses({ ctx, input: { channelId, reports: [report] } });
}

const errorOf = async (id: string) => (await getMessage({ ctx, input: { id } })).error;

describe("what WhatsApp said of a failed message", () => {
  test("in an answer is told with the title of Meta's list, where the answer has none", async () => {
    const { id } = await newMessage();
    await answered(id, { code: 131_026, message: "(#131026) To +4915112345678: marktext" });
    expect(await errorOf(id)).toMatchObject({
      code: "undeliverable",
      resend: "never",
      upstream: { code: 131_026, title: "Message undeliverable" },
    });
  });

  test("in a status is told alike when it is read, in lists and in the event, with the title of Meta's list", async () => {
    const endpoint = await addEndpoint(ctx, { url: null, events: ["message.failed"] });
    const { id, threadId } = await newMessage();
    const title = "This message was not delivered to maintain healthy ecosystem engagement.";
    await failedBy(id, { code: 131_049, title, error_data: { details: "In order to" } });
    const upstream = { code: 131_049, title: "Meta chose not to deliver" };
    const error = await errorOf(id);
    expect(error).toMatchObject({ code: "engagement_limited", resend: "later", upstream });
    expect(error?.message).toBe(upstreamOutcome(131_049)?.said);
    const { data } = await listMessages({
      ctx,
      input: { limit: 10, state: ["failed"], direction: "outbound" },
    });
    expect(data.find((message) => message.message_id === id)?.error).toEqual(error);
    const [delivery] = await deliveriesOf(world, endpoint.id);
    expect(JSON.parse(delivery?.body ?? "").data.error).toEqual(error);
    const member = await asMember(ctx, "agent");
    const found = await searchMessages({ ctx: member, input: { q: threadId, limit: 10 } });
    expect(found.data[0]?.error?.message).toBe(error?.message);
    expect((await inspectMessage({ ctx: member, input: { messageId: id } })).explanation).toMatchObject({
      whatHappened: error?.message,
      upstream,
    });
  });

  test.each([
    ["a token", "EAAGm0PX4ZCpsBAKZCZAtoken0123"],
    ["a number", "Not on WhatsApp: 4915112345678"],
    ["a number in groups", "Not on WhatsApp: +49 151 234 567"],
    ["a number without a plus in groups", "Not on WhatsApp: 49 151 234 567"],
    ["a number with a prefix in parentheses", "Not on WhatsApp: (0151) 23-45"],
    ["a number in other digits", "Not on WhatsApp: ٤٩ ١٥١ ٢٣٤"],
    ["more than a line", "One\nTwo"],
    ["more than 120 characters", "word ".repeat(30)],
  ])("never has %s: a title with it is none", async (_, title) => {
    const [known, unknown] = [await newMessage(), await newMessage()];
    await failedBy(known.id, { code: 131_026, title });
    await failedBy(unknown.id, { code: 139_999, title });
    expect((await errorOf(known.id))?.upstream).toEqual({ code: 131_026, title: "Message undeliverable" });
    expect((await errorOf(unknown.id))?.upstream).toEqual({ code: 139_999, title: null });
  });

  test("with a code that nobody knows has the title that WhatsApp gave, or none", async () => {
    const [titled, untitled] = [await newMessage(), await newMessage()];
    await failedBy(titled.id, { code: 139_999, title: "Something new" });
    await answered(untitled.id, { code: 139_999, message: "(#139999) Something new" });
    expect((await errorOf(titled.id))?.upstream).toEqual({ code: 139_999, title: "Something new" });
    expect((await errorOf(untitled.id))?.upstream).toEqual({ code: 139_999, title: null });
  });

  test("stays without its words once the message is erased", async () => {
    const { id, contactId } = await newMessage();
    await failedBy(id, { code: 131_049, title: "A title of its own" });
    await eraseContact({ ctx, input: { contactId } });
    expect((await errorOf(id))?.upstream).toEqual({ code: 131_049, title: "Meta chose not to deliver" });
  });

  test("of the customer's country is a failure of its own, and sent again never", async () => {
    const [refused, later] = [await newMessage(), await newMessage()];
    await answered(refused.id, { code: 130_497 });
    await failedBy(later.id, { code: 130_497 });
    for (const { id } of [refused, later]) {
      expect(await errorOf(id)).toMatchObject({
        code: "recipient_not_allowed",
        message: ERRORS.recipient_not_allowed.message,
        resend: "never",
        upstream: { code: 130_497 },
      });
    }
  });

  test("is null where Waypost's own rules decided", async () => {
    const { id } = await newMessage();
    await world.sql`
      update messages set state = 'failed', error_code = 'expired', failed_at = now() where id = ${id}`;
    expect((await errorOf(id))?.upstream).toBeNull();
  });
});

describe("a customer window that WhatsApp reported as closed", () => {
  const CLOSED = upstreamOutcome(131_047)?.said;

  test("is said to be so in a refusal, though the customer wrote an hour ago, until the customer writes", async () => {
    const { id, threadId } = await newMessage();
    await failedBy(id, { code: 131_047, title: "Re-engagement message" });
    expect((await errorOf(id))?.message).toBe(CLOSED);
    const refused = sendMessage({ ctx, input: textTo(threadId) });
    await expect(refused).rejects.toMatchObject({ code: "outside_customer_window", message: CLOSED });
    await world.sql`update conversations set last_inbound_at = clock_timestamp() where id = ${threadId}`;
    await sendMessage({ ctx, input: textTo(threadId) });
  });

  test("is the reason of a message that waited then, without a call of its own", async () => {
    const { threadId } = await openConversation(ctx, channelId);
    const [first, second] = [await queueText(ctx, threadId), await queueText(ctx, threadId)];
    await failedBy(first, { code: 131_047 });
    const claimToken = crypto.randomUUID();
    const [claimed] = await world.sql<{ id: string; organizationId: string }[]>`
      update messages set claim_token = ${claimToken}, claimed_until = now() + interval '1 minute'
      where id = ${second} returning id, organization_id as "organizationId"`;
    if (!claimed) throw new Error("The message can't be claimed");
    const messages = [{ ...claimed, channelId, claimToken }];
    await settleUncalled(world.services, {
      claimed: messages,
      ...(await openAttempts(world.services, messages)),
    });
    expect(await errorOf(second)).toMatchObject({
      code: "outside_customer_window",
      message: CLOSED,
      upstream: null,
    });
  });

  test("isn't blamed where the customer just hasn't written", async () => {
    const { threadId } = await openConversation(ctx, channelId);
    await world.sql`
      update conversations set last_inbound_at = now() - interval '25 hours' where id = ${threadId}`;
    await expect(sendMessage({ ctx, input: textTo(threadId) })).rejects.toMatchObject({
      message: "The customer hasn't written on this channel in the last 24 hours.",
    });
  });
});

describe("a message that waits because of what WhatsApp said", () => {
  const inspect = async (messageId: string) =>
    inspectMessage({ ctx: await asMember(ctx, "agent"), input: { messageId } });

  test("says what that was, and when it is tried next", async () => {
    const { id } = await newMessage();
    await answered(id, { code: 4, message: "(#4) Application request limit reached" });
    await world.sql`update messages set next_attempt_at = now() + interval '1 minute' where id = ${id}`;
    const { explanation, pending } = await inspect(id);
    expect(explanation).toMatchObject({ upstream: { code: 4, title: "API Too Many Calls" } });
    expect(explanation.whatHappened).toContain(upstreamOutcome(4)?.said);
    expect(pending).toMatchObject({ reason: "next_attempt", until: expect.any(Date) });
  });

  test("on a paused channel says why, and when Waypost looks again", async () => {
    const paused = await connectTestChannel(ctx);
    const id = await queueText(ctx, (await openConversation(ctx, paused)).threadId);
    await answered(id, { code: 131_042, message: "(#131042) Business eligibility payment issue" });
    const { explanation, pending } = await inspect(id);
    const outcome = upstreamOutcome(131_042);
    expect(explanation).toMatchObject({ upstream: { code: 131_042, title: outcome?.title } });
    expect(explanation.whatHappened).toContain(outcome?.said);
    expect(explanation.whatToDo).toContain(outcome?.nextStep);
    expect(pending).toMatchObject({ reason: "channel_paused", until: expect.any(Date) });
  });
});
