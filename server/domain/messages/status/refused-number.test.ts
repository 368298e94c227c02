import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accepting } from "@/server/adapters/whatsapp/testing";
import type { StatusReport } from "@/server/adapters/whatsapp/reports";
import { applyStatuses } from "./apply-statuses";
import { drainChannel } from "../deliver/drain";
import { sendMessage } from "../send/send";
import { codeOf, openConversation, openSendWorld, queueText, type SendWorld, textTo } from "../testing";

let world: SendWorld;

beforeAll(async () => {
  world = await openSendWorld({ database: "own" });
  world.upstream.behave(accepting);
});
afterAll(() => world.close());

async function drain(): Promise<void> {
  await drainChannel(world.services, world.channelId);
  await world.services.concurrency.sends.idle();
}

/** A status of a message, and how many seconds ago it happened. */
type Report = readonly ["first" | "second" | "other contact's", StatusReport["kind"], number];

describe("a number that was refused", () => {
  const refused: Report = ["second", "failed", 60];

  async function codeAfter(reported: readonly Report[]): Promise<string | null> {
    const { threadId } = await openConversation(world.ctx, world.channelId);
    const other = await openConversation(world.ctx, world.channelId);
    const ids = {
      first: await queueText(world.ctx, threadId),
      second: await queueText(world.ctx, threadId),
      "other contact's": await queueText(world.ctx, other.threadId),
    };
    await drain();
    for (const [message, kind, secondsAgo] of reported) {
      const failure = { errorCode: "undeliverable", detail: { upstreamCode: 131026 } } as const;
      const report: StatusReport = {
        upstreamId: `wamid.${ids[message]}`,
        messageId: null,
        kind,
        upstreamAt: new Date(Date.now() - secondsAgo * 1000),
        recipient: null,
        ...(kind === "failed" ? failure : { errorCode: null, detail: null }),
      };
      await applyStatuses({ ctx: world.ctx, input: { channelId: world.channelId, reports: [report] } });
    }
    return codeOf(sendMessage({ ctx: world.ctx, input: textTo(threadId) }));
  }

  test.each<[string, readonly Report[]]>([
    ["the same message was delivered", [refused, ["second", "delivered", 30]]],
    ["the same message was read", [refused, ["second", "read", 30]]],
    ["an earlier message was delivered", [refused, ["first", "delivered", 30]]],
    ["a message was delivered within the same second", [refused, ["second", "delivered", 60.9]]],
  ])("is sent to again once %s", async (_, reported) => {
    expect(await codeAfter(reported)).toBeNull();
  });

  test.each<[string, readonly Report[]]>([
    ["a message was delivered before", [refused, ["first", "delivered", 90]]],
    [
      "a message is read that was delivered before",
      [["first", "delivered", 90], refused, ["first", "read", 30]],
    ],
    ["a message is said to be sent", [refused, ["first", "sent", 30]]],
    ["a message was delivered to another number", [refused, ["other contact's", "delivered", 30]]],
  ])("stays refused where %s", async (_, reported) => {
    expect(await codeAfter(reported)).toBe("recipient_unreachable");
  });

  test("is sent to again once the message was delivered under its other written form", async () => {
    const [long, short] = ["5511987650061", "551187650061"];
    const { threadId } = await openConversation(world.ctx, world.channelId, long);
    const id = await queueText(world.ctx, threadId);
    await drain();
    await world.sql`
      update contact_identities set refused_at = now() - interval '1 minute', handle = ${short} where handle = ${long}`;
    const about = {
      upstreamId: `wamid.${id}`,
      messageId: null,
      recipient: short,
      errorCode: null,
      detail: null,
    };
    const report = { ...about, kind: "delivered" as const, upstreamAt: new Date() };
    await applyStatuses({ ctx: world.ctx, input: { channelId: world.channelId, reports: [report] } });
    expect(await codeOf(sendMessage({ ctx: world.ctx, input: textTo(threadId) }))).toBeNull();
  });
});
