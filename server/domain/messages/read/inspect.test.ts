import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { MemberActor, SystemActor } from "@/server/core/actor";
import { eraseContact } from "@/server/domain/erasure/erase-contact";
import type { Context } from "@/server/core/context";
import { asMember, connectTestChannel, createTestOrganization } from "@/server/domain/organizations/testing";
import type { CallOutcome } from "@/server/adapters/whatsapp/answer";
import { applyStatuses } from "../status/apply-statuses";
import { type StatusReport } from "@/server/adapters/whatsapp/reports";
import { failWithoutCall } from "../deliver/fail-without-call";
import { inspectMessage } from "./inspect";
import { recordOutcomes } from "../deliver/record-outcomes";
import { sendMessage } from "../send/send";
import {
  asKey,
  codeOf,
  openConversation,
  openSendWorld,
  queueText,
  type SendWorld,
  startCall,
  textTo,
} from "../testing";

let world: SendWorld;
let ctx: Context<SystemActor>;
let member: Context<MemberActor>;

beforeAll(async () => {
  world = await openSendWorld();
  ({ ctx } = world);
  member = await asMember(ctx, "agent");
});
afterAll(() => world.close());

const inspect = (messageId: string, as: Context = member) =>
  inspectMessage({ ctx: as, input: { messageId } });

/** A queued text in its own conversation. */
async function newMessage() {
  const conversation = await openConversation(ctx, world.channelId);
  return { ...conversation, id: await queueText(ctx, conversation.threadId) };
}

/** Stores a call for the message, with this outcome. */
async function called(messageId: string, outcome: CallOutcome): Promise<void> {
  const { attemptId } = await startCall(world, messageId);
  await recordOutcomes(world.services, [{ attemptId, messageId, outcome }]);
}

const said = (httpStatus: number, upstreamCode: number | null, reason: string) => ({
  httpStatus,
  upstreamCode,
  reason,
});

const report = (messageId: string, kind: StatusReport["kind"], given: Partial<StatusReport> = {}) =>
  applyStatuses({
    ctx,
    input: {
      channelId: world.channelId,
      reports: [
        {
          upstreamId: `wamid.${messageId}`,
          messageId,
          kind,
          upstreamAt: new Date(),
          recipient: null,
          errorCode: null,
          detail: null,
          ...given,
        },
      ],
    },
  });

const kindsOf = async (id: string) => (await inspect(id)).timeline.map(({ kind }) => kind);

describe("the page of a message", () => {
  test("has what it said, to whom, from whom, and every id", async () => {
    const key = await asKey(ctx, { name: "Shop" });
    const { threadId, contactId, handle } = await openConversation(ctx, world.channelId);
    const input = { ...textTo(threadId, `order-${threadId}`), text: { body: "Your parcel is on its way" } };
    const { message_id: id } = await sendMessage({ ctx: { ...key, requestId: "the-request" }, input });
    await called(id, { kind: "accepted", upstreamId: `wamid.${id}`, detail: said(200, null, "accepted") });
    expect(await inspect(id)).toMatchObject({
      id,
      clientMessageId: `order-${threadId}`,
      requestId: "the-request",
      upstreamId: `wamid.${id}`,
      state: "sent",
      content: { type: "text", text: { body: "Your parcel is on its way" } },
      recipient: handle,
      contact: { id: contactId, name: "Customer" },
      channel: { id: world.channelId, name: "Test channel" },
      sender: { kind: "key", id: key.actor.keyId, name: "Shop" },
      pause: null,
      template: null,
      resendOf: null,
      resends: [],
      pending: null,
      explanation: { resend: "not_needed" },
    });
  });
});

describe("the timeline", () => {
  test("has everything in order, with WhatsApp's own code and words and what they mean", async () => {
    const { id } = await newMessage();
    await called(id, { kind: "retry", detail: said(503, 2, "Service temporarily unavailable") });
    await called(id, { kind: "accepted", upstreamId: `wamid.${id}`, detail: said(200, null, "accepted") });
    await report(id, "sent");
    await report(id, "read");
    const { timeline } = await inspect(id);
    expect(timeline).toMatchObject([
      { kind: "accepted" },
      {
        kind: "attempt",
        number: 1,
        outcome: "retry",
        finishedAt: expect.any(Date),
        said: {
          httpStatus: 503,
          code: 2,
          title: "API Service",
          words: "Service temporarily unavailable",
        },
      },
      { kind: "retry", nextAttemptAt: null, ofAttempt: 1, said: { code: 2 } },
      { kind: "attempt", number: 2, outcome: "accepted", said: { httpStatus: 200, code: null } },
      { kind: "sent", source: "answer", ofAttempt: 2, isNews: true, previousState: "queued" },
      { kind: "sent", source: "callback", ofAttempt: null, isNews: false },
      { kind: "delivered", source: "callback", isNews: true, isInferred: true, previousState: "sent" },
      { kind: "read", source: "callback", isNews: true, isInferred: false, upstreamAt: expect.any(Date) },
    ]);
    const times = timeline.map(({ at }) => at.getTime());
    expect(times).toEqual(times.toSorted((one, other) => one - other));
  });

  test("has a failure with its code, told by an answer, by a callback or by Waypost itself", async () => {
    const [refused, reported, old] = [await newMessage(), await newMessage(), await newMessage()];
    const detail = said(400, 131026, "Message undeliverable");
    await called(refused.id, { kind: "rejected", code: "undeliverable", detail });
    await report(reported.id, "failed", {
      errorCode: "engagement_limited",
      detail: { upstreamCode: 131049, reason: "Held" },
    });
    await failWithoutCall(world.services, [old], "expired");
    const last = async (id: string) => (await inspect(id)).timeline.at(-1);
    expect(await last(refused.id)).toMatchObject({
      kind: "failed",
      source: "answer",
      errorCode: "undeliverable",
      said: { httpStatus: 400, code: 131026, words: "Message undeliverable" },
    });
    expect(await last(reported.id)).toMatchObject({
      kind: "failed",
      source: "callback",
      errorCode: "engagement_limited",
      said: { code: 131049, words: "Held" },
    });
    expect(await last(old.id)).toMatchObject({ kind: "failed", source: "waypost", errorCode: "expired" });
  });

  test("says when the next attempt is due, until it is made", async () => {
    const { id } = await newMessage();
    await called(id, { kind: "retry", detail: said(503, 2, "Busy") });
    await world.sql`update messages set next_attempt_at = now() + interval '1 minute' where id = ${id}`;
    const { timeline, pending, explanation } = await inspect(id);
    const [retry] = timeline.filter(({ kind }) => kind === "retry");
    expect(pending).toMatchObject({ reason: "next_attempt", until: expect.any(Date) });
    expect(retry).toMatchObject({ nextAttemptAt: pending?.until });
    expect(explanation.resend).toBe("not_needed");
  });

  test("shows an attempt that goes on", async () => {
    const { id } = await newMessage();
    const { attemptId } = await startCall(world, id);
    const { timeline, pending } = await inspect(id);
    expect(timeline.at(-1)).toMatchObject({ kind: "attempt", outcome: null, finishedAt: null });
    expect(pending?.reason).toBe("answer");
    const detail = said(200, null, "accepted");
    await recordOutcomes(world.services, [
      { attemptId, messageId: id, outcome: { kind: "accepted", upstreamId: `wamid.${id}`, detail } },
    ]);
  });

  test("says until when a message waits for confirmation, and that it may arrive twice if it is sent again", async () => {
    const { id } = await newMessage();
    await called(id, { kind: "uncertain", detail: said(500, null, "HTTP 500 without a readable answer") });
    const { timeline, pending, explanation, inDoubtSince } = await inspect(id);
    const afterMs = world.services.config.unconfirmedAfterSeconds * 1000;
    const until = new Date((inDoubtSince?.getTime() ?? 0) + afterMs);
    expect(timeline.at(-1)).toMatchObject({ kind: "uncertain", waitsUntil: until });
    expect(pending).toMatchObject({ reason: "confirmation", until, givenUpAt: until });
    expect(explanation).toMatchObject({ resend: "may_duplicate", isResendable: true });
    await report(id, "delivered");
    expect((await inspect(id)).timeline.at(-1)).toMatchObject({ kind: "delivered" });
    expect(await kindsOf(id)).toEqual(["accepted", "attempt", "uncertain", "delivered"]);
  });

  test("of an erased message has all that happened, and none of the words", async () => {
    const { id, contactId, threadId, handle } = await newMessage();
    const detail = said(400, 131026, `Not on WhatsApp: ${handle}`);
    await called(id, { kind: "rejected", code: "undeliverable", detail });
    await eraseContact({ ctx, input: { contactId } });
    const inspected = await inspect(id);
    expect(inspected).toMatchObject({
      content: null,
      recipient: null,
      contact: { id: contactId, name: null },
      threadId,
      explanation: { resend: "never", isResendable: false },
    });
    expect(inspected.timeline.map(({ kind }) => kind)).toEqual(["accepted", "attempt", "failed", "erased"]);
    expect(inspected.timeline[2]).toMatchObject({ said: { httpStatus: 400, code: 131026, words: null } });
    expect(JSON.stringify(inspected)).not.toMatch(new RegExp(`${handle}|Good morning`));
  });
});

describe("a queued message says what it waits for", () => {
  test("its turn, and when it is given up", async () => {
    const { id } = await newMessage();
    const { pending, createdAt } = await inspect(id);
    const givenUpAt = new Date(createdAt.getTime() + 12 * 3_600_000);
    expect(pending).toEqual({ reason: "turn", until: null, givenUpAt, behind: null, upstream: null });
  });

  test("an earlier message of the conversation, which is named", async () => {
    const { id, threadId } = await newMessage();
    const behind = await queueText(ctx, threadId);
    expect((await inspect(behind)).pending).toMatchObject({ reason: "earlier_message", behind: id });
  });

  test("the customer's limit", async () => {
    const { id, threadId } = await newMessage();
    await world.sql`update conversations set blocked_until = now() + interval '1 minute' where id = ${threadId}`;
    expect((await inspect(id)).pending).toMatchObject({ reason: "customer_limit", until: expect.any(Date) });
  });

  test("its channel, and why that is paused", async () => {
    const own = await createTestOrganization(world.services);
    const as = await asMember(own, "owner");
    const channel = await connectTestChannel(own, true);
    const id = await queueText(own, (await openConversation(own, channel)).threadId);
    await world.sql`
      update channels set paused_at = now(), pause_reason = 'payment_required' where id = ${channel}`;
    const paused = await inspect(id, as);
    expect(paused.pending?.reason).toBe("channel_paused");
    expect(paused.pause).toMatchObject({ reason: "payment_required", since: expect.any(Date) });
    expect(paused.explanation.whatHappened).toContain(paused.pause?.message);
    await world.sql`update channels set disabled_at = now() where id = ${channel}`;
    expect((await inspect(id, as)).pending?.reason).toBe("channel_disabled");
  });
});

describe("nobody else's message", () => {
  test("is found: another organization's, an unknown and a malformed id, and a customer's are all alike", async () => {
    const { id, threadId } = await newMessage();
    const foreign = await asMember(await createTestOrganization(world.services), "owner");
    const [inbound] = await world.sql<{ id: string }[]>`
      select id from messages where conversation_id = ${threadId} and kind = 'inbound'`;
    const calls = [inspect(id, foreign), inspect(randomUUID()), inspect("x"), inspect(inbound?.id ?? "")];
    expect(await Promise.all(calls.map(codeOf))).toEqual(Array(4).fill("message_not_found"));
  });

  test("is shown to a key", async () => {
    const { id } = await newMessage();
    expect(await codeOf(inspect(id, await asKey(ctx)))).toBe("permission_denied");
  });
});
