import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Services } from "@/server/core/context";
import { servicesWith } from "@/server/core/testing";
import { wamidOf } from "@/server/adapters/whatsapp/testing";
import { applyStatuses } from "../status/apply-statuses";
import { handOver } from "./hand-over";
import {
  messageRow,
  openConversation,
  openSendWorld,
  outcomesOf,
  queueText,
  type SendWorld,
  startCall,
} from "../testing";

let world: SendWorld;

beforeAll(async () => void (world = await openSendWorld()));
afterAll(() => world.close());

async function permitted() {
  const { threadId } = await openConversation(world.ctx, world.channelId);
  const messageId = await queueText(world.ctx, threadId);
  const attempt = await startCall(world, messageId);
  const calls = () => world.upstream.calls.filter((call) => call.messageId === messageId);
  return { messageId, attempt, calls };
}

const justNow = () => performance.now();

/** Checks that a message which was certainly not sent is retried, with the reason. */
async function expectRetry(messageId: string, reason: string): Promise<void> {
  expect(await messageRow(world, messageId)).toMatchObject({ state: "queued", isInDoubt: false });
  expect(await outcomesOf(world, messageId)).toEqual(["retry"]);
  const [row] = await world.sql<{ reason: string }[]>`
    select detail ->> 'reason' as reason from message_attempts where message_id = ${messageId}`;
  expect(row?.reason).toBe(reason);
}

async function pauseReason(): Promise<string | null> {
  const [row] = await world.sql<{ pauseReason: string | null }[]>`
    select pause_reason as "pauseReason" from channels where id = ${world.channelId}`;
  return row?.pauseReason ?? null;
}

describe("no call is made", () => {
  test("on a permission older than five seconds: the lease may be another's by now", async () => {
    const { messageId, attempt, calls } = await permitted();
    await handOver(world.services, attempt, performance.now() - 5_001);
    expect(calls()).toEqual([]);
    await expectRetry(messageId, "the permission to call was too old");
  });

  test("without a simulator for a simulated channel", async () => {
    const { messageId, attempt, calls } = await permitted();
    await handOver(servicesWith(world.services, { urls: { upstream: () => null } }), attempt, justNow());
    expect(calls()).toEqual([]);
    await expectRetry(messageId, "no simulator is running");
  });

  test("with a token that can't be decrypted", async () => {
    const { messageId, attempt, calls } = await permitted();
    const accessTokenEncrypted = world.services.vault.encrypt("token", "another purpose");
    await handOver(
      world.services,
      { ...attempt, channel: { ...attempt.channel, accessTokenEncrypted } },
      justNow(),
    );
    expect(calls()).toEqual([]);
    await expectRetry(messageId, "the channel's access token can't be decrypted");
    // It waits with its channel, where staff see the reason, and uses up none of its tries.
    expect(await messageRow(world, messageId)).toMatchObject({ attempts: 0 });
    expect(await pauseReason()).toBe("credentials_invalid");
    await world.sql`update channels set paused_at = null, pause_reason = null where id = ${world.channelId}`;
  });

  test("for a message with nothing in it that could be sent: it fails, and shows nothing about its channel", async () => {
    const { messageId, attempt, calls } = await permitted();
    await world.sql`
      update channels set paused_at = now() - interval '1 minute', pause_reason = 'spam_limited'
      where id = ${world.channelId}`;
    await handOver(world.services, { ...attempt, content: {} }, justNow());
    expect(calls()).toEqual([]);
    expect(await messageRow(world, messageId)).toMatchObject({
      state: "failed",
      errorCode: "upstream_rejected",
    });
    expect(await pauseReason()).toBe("spam_limited");
    await world.sql`update channels set paused_at = null, pause_reason = null where id = ${world.channelId}`;
  });
});

describe("an answer", () => {
  test("waits in memory while the database is away, and is stored when it is back", async () => {
    const { messageId, attempt, calls } = await permitted();
    let failures = 4;
    const sql = new Proxy(world.services.sql, {
      get(target, name, receiver) {
        if (name !== "begin" || failures === 0) return Reflect.get(target, name, receiver);
        failures -= 1;
        return () => Promise.reject(Object.assign(new Error("gone"), { code: "CONNECTION_CLOSED" }));
      },
    });
    const services: Services = { ...world.services, sql };
    await handOver(services, attempt, justNow());
    expect(calls()).toHaveLength(1);
    expect(failures).toBe(0);
    expect(await messageRow(world, messageId)).toMatchObject({ state: "sent" });
    expect(await outcomesOf(world, messageId)).toEqual(["accepted"]);
  });

  test("that was overtaken by a status is joined with it at once", async () => {
    const { messageId, attempt } = await permitted();
    await applyStatuses({
      ctx: world.ctx,
      input: {
        channelId: world.channelId,
        reports: [
          {
            upstreamId: wamidOf(messageId),
            messageId: null,
            kind: "read",
            upstreamAt: null,
            recipient: null,
            errorCode: null,
            detail: null,
          },
        ],
      },
    });
    expect(await messageRow(world, messageId)).toMatchObject({ state: "queued" });
    await handOver(world.services, attempt, justNow());
    expect(await messageRow(world, messageId)).toMatchObject({ state: "read", eventSequence: 3 });
  });
});
