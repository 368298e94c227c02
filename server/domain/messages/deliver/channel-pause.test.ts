import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { until } from "@/e2e/support/until";
import type { Context } from "@/server/core/context";
import { servicesWith } from "@/server/core/testing";
import { resumeChannel } from "@/server/domain/channels/resume";
import { asMember } from "@/server/domain/organizations/testing";
import {
  accepting,
  answerJson,
  givingId,
  graphError,
  type UploadBehaviour,
} from "@/server/adapters/whatsapp/testing";
import { applyStatuses } from "../status/apply-statuses";
import { drainChannel } from "./drain";
import { probePausedChannels } from "./probe-channels";
import { createConcurrencyLimiter } from "@/server/lib/concurrency-limiter";
import {
  codeOf,
  messageRow,
  openConversation,
  openSendWorld,
  outcomesOf,
  queueImage,
  queueText,
  type SendWorld,
} from "../testing";

let world: SendWorld;

beforeAll(async () => void (world = await openSendWorld({ database: "own" })));
afterAll(() => world.close());
beforeEach(() => {
  world.upstream.behave(accepting);
  world.upstream.takeUploads(givingId);
  world.upstream.letNumberBeRead(true);
});
afterEach(async () => {
  await world.services.concurrency.sends.idle();
  await world.sql`update messages set state = 'failed', error_code = 'expired' where state = 'queued'`;
  await world.sql`update channels set paused_at = null, pause_reason = null, pause_detail = null, next_probe_at = null`;
});

async function queued(count = 1): Promise<string[]> {
  const { threadId } = await openConversation(world.ctx, world.channelId);
  const ids: string[] = [];
  for (let i = 0; i < count; i++) ids.push(await queueText(world.ctx, threadId));
  return ids;
}

async function drain(): Promise<void> {
  await drainChannel(world.services, world.channelId);
  await world.services.concurrency.sends.idle();
}

async function channel() {
  const [row] = await world.sql<
    { pauseReason: string | null; isPaused: boolean; probeSeconds: number | null }[]
  >`
    select pause_reason as "pauseReason", paused_at is not null as "isPaused",
      extract(epoch from next_probe_at - paused_at)::int as "probeSeconds"
    from channels where id = ${world.channelId}`;
  if (!row) throw new Error("The channel is gone");
  return row;
}

const refusing =
  (code: number): UploadBehaviour =>
  (res) =>
    answerJson(res, 400, { error: { message: "Refused", code } });
const callsFor = (id: string) => world.upstream.calls.filter((call) => call.messageId === id).length;
const probeNow = async () => {
  await world.sql`update channels set next_probe_at = now() where paused_at is not null`;
  await probePausedChannels(world.services);
};

describe("a refusal because of the channel", () => {
  test.each([
    [190, "credentials_invalid", 60],
    [10, "permission_missing", 60],
    [294, "permission_missing", 60],
    [131042, "payment_required", 60],
    [133010, "number_not_registered", 60],
    [131031, "account_locked", 60],
    [131048, "spam_limited", 3600],
    [131064, "spam_limited", 3600],
    [368, "policy_blocked", 3600],
  ])(
    "code %i pauses it as %s, and the message waits without counting a try",
    async (code, reason, probeSeconds) => {
      world.upstream.behave(graphError(code));
      const [id = ""] = await queued();
      await drain();
      expect(await channel()).toEqual({ pauseReason: reason, isPaused: true, probeSeconds });
      expect(await messageRow(world, id)).toMatchObject({
        state: "queued",
        attempts: 0,
        holdMs: null,
        isClaimed: false,
      });
      await drain();
      expect(callsFor(id)).toBe(1);
    },
  );

  test("in a failed status that is fresh pauses the channel, in an old one it doesn't", async () => {
    const failed = (upstreamId: string, at: Date) => ({
      upstreamId,
      messageId: null,
      kind: "failed" as const,
      upstreamAt: at,
      recipient: null,
      errorCode: "channel_unavailable" as const,
      detail: { upstreamCode: 131042, reason: "no payment method" },
    });
    const [old = "", fresh = ""] = [...(await queued()), ...(await queued())];
    await drain();
    const report = (id: string, at: Date) =>
      applyStatuses({
        ctx: world.ctx,
        input: { channelId: world.channelId, reports: [failed(`wamid.${id}`, at)] },
      });
    await report(old, new Date(Date.now() - 11 * 60_000));
    expect(await channel()).toMatchObject({ isPaused: false });
    await report(fresh, new Date());
    expect(await channel()).toMatchObject({ pauseReason: "payment_required" });
    expect(await messageRow(world, fresh)).toMatchObject({
      state: "failed",
      errorCode: "channel_unavailable",
    });
  });
});

describe("a paused channel", () => {
  async function pausedBy(code: number): Promise<string[]> {
    world.upstream.behave(graphError(code));
    const ids = await queued(3);
    await drain();
    world.upstream.behave(accepting);
    return ids;
  }

  async function pausedWithImage(): Promise<string> {
    await world.sql`update channels set paused_at = now(), pause_reason = 'spam_limited' where id = ${world.channelId}`;
    const { threadId } = await openConversation(world.ctx, world.channelId);
    return queueImage(world.ctx, threadId);
  }

  test("whose number can be read again goes on, in order", async () => {
    const ids = await pausedBy(190);
    world.upstream.letNumberBeRead(false);
    await probeNow();
    expect(await channel()).toMatchObject({ isPaused: true });
    world.upstream.letNumberBeRead(true);
    await probeNow();
    expect(await channel()).toMatchObject({ isPaused: false, pauseReason: null });
    await drain();
    const order = world.upstream.calls
      .filter((call) => ids.includes(call.messageId))
      .map((call) => call.messageId);
    expect(order).toEqual([ids[0], ...ids]);
  });

  test("is not asked before its time", async () => {
    await pausedBy(190);
    await probePausedChannels(world.services);
    expect(await channel()).toMatchObject({ isPaused: true });
  });

  test("that only a send can prove tries one message an hour, and goes on once it is taken", async () => {
    const ids = await pausedBy(131048);
    const calls = world.upstream.calls.length;
    world.upstream.behave(graphError(131048));
    await probeNow();
    expect(world.upstream.calls.length).toBe(calls + 1);
    expect(await channel()).toMatchObject({ isPaused: true, pauseReason: "spam_limited" });
    await probePausedChannels(world.services);
    expect(world.upstream.calls.length).toBe(calls + 1);
    world.upstream.behave(accepting);
    await probeNow();
    expect(await channel()).toMatchObject({ isPaused: false });
    await drain();
    expect(await Promise.all(ids.map((id) => messageRow(world, id)))).toMatchObject(
      ids.map(() => ({ state: "sent" })),
    );
  });

  test("is probed by one of many processes, with one message", async () => {
    await pausedBy(131048);
    const calls = world.upstream.calls.length;
    await world.sql`update channels set next_probe_at = now() where paused_at is not null`;
    await Promise.all(Array.from({ length: 4 }, () => probePausedChannels(world.services)));
    await until("the probe was answered", async () => !(await channel()).isPaused);
    expect(world.upstream.calls.length).toBe(calls + 1);
  });

  test("is probed past messages that can't be called for any more", async () => {
    world.upstream.behave(graphError(131048));
    const heads = await queued(3);
    await drain();
    await world.sql`update conversations set last_inbound_at = now() - interval '25 hours'`;
    const [open = ""] = await queued();
    world.upstream.behave(accepting);
    await probeNow();
    expect(await Promise.all(heads.map((id) => messageRow(world, id)))).toMatchObject(
      heads.map(() => ({ state: "failed", errorCode: "outside_customer_window" })),
    );
    expect(await messageRow(world, open)).toMatchObject({ state: "sent" });
    expect(await channel()).toMatchObject({ isPaused: false });
  });

  test("is probed with a message whose file has still to be handed up", async () => {
    const id = await pausedWithImage();
    world.target.length = 0;
    await probeNow();
    expect(await messageRow(world, id)).toMatchObject({ state: "sent" });
    expect(await channel()).toMatchObject({ isPaused: false });
    expect(world.target).toEqual([world.channelId]);
  });

  test("is probed past a file that the upstream doesn't take", async () => {
    const id = await pausedWithImage();
    const [text = ""] = await queued();
    world.upstream.takeUploads(refusing(131053));
    await probeNow();
    expect(await messageRow(world, id)).toMatchObject({ state: "failed", errorCode: "invalid_media" });
    expect(await messageRow(world, text)).toMatchObject({ state: "sent" });
  });

  test("is asked no more for an hour when it refuses the file because of the channel", async () => {
    const id = await pausedWithImage();
    world.upstream.takeUploads(refusing(131048));
    const uploads = world.upstream.uploads();
    await probeNow();
    expect(world.upstream.uploads()).toBe(uploads + 1);
    expect(callsFor(id)).toBe(0);
    expect(await messageRow(world, id)).toMatchObject({ state: "queued", isClaimed: false });
    expect(await channel()).toMatchObject({ isPaused: true });
    await probePausedChannels(world.services);
    expect(world.upstream.uploads()).toBe(uploads + 1);
  });

  test.each<[string, Parameters<typeof servicesWith>[1]]>([
    ["no slot is free for it", { concurrency: { sends: createConcurrencyLimiter(0) } }],
    ["the process stops", { lifecycle: { isStopping: () => true } }],
  ])("is asked by the next sweep when %s", async (_, lacking) => {
    const [id = ""] = await pausedBy(131048);
    const calls = callsFor(id);
    await world.sql`update channels set next_probe_at = now() where paused_at is not null`;
    await probePausedChannels(servicesWith(world.services, lacking));
    expect(callsFor(id)).toBe(calls);
    await probePausedChannels(world.services);
    expect(callsFor(id)).toBe(calls + 1);
  });

  test("is not proven to work by an answer to a call that began before the pause", async () => {
    const [early = ""] = await queued();
    const [late = ""] = await queued();
    let letGo: () => void = () => undefined;
    world.upstream.behave((res, call) => {
      if (call.messageId === early) letGo = () => accepting(res, call);
      else graphError(131048)(res, call);
    });
    const draining = drainChannel(world.services, world.channelId);
    await until("the channel is paused", async () => (await channel()).isPaused);
    letGo();
    await draining;
    await world.services.concurrency.sends.idle();
    expect(await outcomesOf(world, early)).toEqual(["accepted"]);
    expect(await outcomesOf(world, late)).toEqual(["retry"]);
    expect(await channel()).toMatchObject({ isPaused: true });
  });

  test("is resumed by a member who may, and by nobody else's organization", async () => {
    await pausedBy(190);
    const resume = (ctx: Context) => resumeChannel({ ctx, input: { channelId: world.channelId } });
    expect(await codeOf(resume(await asMember(world.ctx, "agent")))).toBe("permission_denied");
    await resume(await asMember(world.ctx, "admin"));
    expect(await channel()).toMatchObject({ isPaused: false, probeSeconds: null });
    const [audit] = await world.sql<{ detail: unknown }[]>`
      select detail from audit_log where action = 'channel.resumed' and subject_id = ${world.channelId}`;
    expect(audit?.detail).toEqual({ pauseReason: "credentials_invalid" });
    await resume(await asMember(world.ctx, "admin"));
    const [count] = await world.sql<{ n: number }[]>`
      select count(*)::int as n from audit_log where action = 'channel.resumed'`;
    expect(count?.n).toBe(1);
  });
});
