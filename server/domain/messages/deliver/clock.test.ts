import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { setClockWrong, WRONG_CLOCKS } from "@/server/testing";
import { accepting, graphError, wamidOf } from "@/server/adapters/whatsapp/testing";
import { queueState } from "./claim";
import { drainChannel } from "./drain";
import {
  messageRow,
  openConversation,
  openSendWorld,
  outcomesOf,
  queueText,
  type SendWorld,
  textTo,
} from "../testing";
import { sendMessage } from "../send/send";

let world: SendWorld;

beforeAll(async () => void (world = await openSendWorld({ database: "own" })));
afterAll(() => world.close());
afterEach(() => void vi.useRealTimers());

describe.each(WRONG_CLOCKS)("a process's clock that is set an hour %s", (_, byMs) => {
  const setClock = () => setClockWrong(byMs);
  const drain = () => drainChannel(world.services, world.channelId);
  const callsFor = (id: string) => world.upstream.calls.filter((call) => call.messageId === id);

  test("neither loses nor doubles a message that waits for its next try", async () => {
    const { threadId } = await openConversation(world.ctx, world.channelId);
    const id = await queueText(world.ctx, threadId);
    world.upstream.behave(graphError(131016, 503));
    await drain();
    await world.sql`update messages set next_attempt_at = now() + interval '20 seconds' where id = ${id}`;
    setClock();
    await drain();
    expect(await outcomesOf(world, id)).toHaveLength(1);
    const dueInMs =
      ((await queueState(world.services, world.channelId)).nextDueAt?.getTime() ?? 0) - Date.now();
    expect(dueInMs).toBeGreaterThan(0);
    expect(dueInMs).toBeLessThanOrEqual(20_001);
    world.upstream.behave(accepting);
    await world.sql`update messages set next_attempt_at = now() where id = ${id}`;
    await drain();
    vi.useRealTimers();
    await drain();
    expect(await messageRow(world, id)).toMatchObject({
      state: "sent",
      upstreamId: wamidOf(id),
      attempts: 1,
    });
    expect(new Set(await outcomesOf(world, id))).toEqual(new Set(["retry", "accepted"]));
    expect(callsFor(id)).toHaveLength(2);
  });

  test("takes a repeated request for the same message", async () => {
    const { threadId } = await openConversation(world.ctx, world.channelId);
    const input = textTo(threadId);
    const { message_id } = await sendMessage({ ctx: world.ctx, input });
    setClock();
    expect(await sendMessage({ ctx: world.ctx, input })).toMatchObject({ message_id, deduplicated: true });
    vi.useRealTimers();
    expect(await sendMessage({ ctx: world.ctx, input })).toMatchObject({ message_id, deduplicated: true });
  });
});
