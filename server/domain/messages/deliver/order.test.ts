import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { limitMs } from "@/e2e/support/machine-speed";
import { until } from "@/e2e/support/until";
import { accepting, type Behaviour, graphError, silent } from "@/server/adapters/whatsapp/testing";
import { drainChannel } from "./drain";
import { openConversation, openSendWorld, outcomesOf, queueText, type SendWorld } from "../testing";

const CONVERSATIONS = 200;
const MESSAGES_EACH = 20;

let world: SendWorld;

beforeAll(async () => void (world = await openSendWorld()));
afterAll(() => world.close());

/** Drains whenever something may be due, as the jobs do, until none of these messages is queued. */
async function drainUntilSent(ids: readonly string[], services = world.services): Promise<void> {
  await until(
    "every message was handed over",
    async () => {
      await drainChannel(services, world.channelId);
      const [row] = await world.sql<{ left: number }[]>`
        select count(*)::int as left from messages where id = any(${[...ids]}::uuid[]) and state = 'queued'`;
      return row?.left === 0;
    },
    { intervalMs: 50 },
  );
}

/** Returns the accepted messages, in the upstream's order. */
function takenOf(taken: readonly string[], ids: readonly string[]): string[] {
  const own = new Set(ids);
  return taken.filter((id) => own.has(id));
}

/** Accepts everything that it doesn't refuse, and records the order. */
function refusing(refuses: (id: string, call: number) => Behaviour | null) {
  const calls = new Map<string, number>();
  const taken: string[] = [];
  world.upstream.behave((res, call) => {
    const count = (calls.get(call.messageId) ?? 0) + 1;
    calls.set(call.messageId, count);
    const error = refuses(call.messageId, count);
    if (error === null) taken.push(call.messageId);
    (error ?? accepting)(res, call);
  });
  return taken;
}

async function queueOf(count: number) {
  const { threadId } = await openConversation(world.ctx, world.channelId);
  const ids: string[] = [];
  for (let i = 0; i < count; i++) ids.push(await queueText(world.ctx, threadId));
  return { threadId, ids };
}

describe("the messages of a conversation", () => {
  test(`arrive in order: ${CONVERSATIONS} conversations with ${MESSAGES_EACH} messages, every tenth refused once or twice`, async () => {
    const queues = await Promise.all(Array.from({ length: CONVERSATIONS }, () => queueOf(MESSAGES_EACH)));
    const all = queues.flatMap(({ ids }) => ids);
    const unlucky = new Set(all.filter((_, index) => index % 10 === 3));
    const stubborn = new Set(all.filter((_, index) => index % 100 === 3));
    const taken = refusing((id, call) =>
      unlucky.has(id) && call <= (stubborn.has(id) ? 2 : 1) ? graphError(131000, 500) : null,
    );
    await drainUntilSent(all);
    for (const { ids } of queues) expect(takenOf(taken, ids)).toEqual(ids);
  });

  test("pass one that keeps being refused 60 seconds after its first refusal, and not before", async () => {
    const { ids } = await queueOf(3);
    const [first = "", ...rest] = ids;
    const taken = refusing((id) => (id === first ? graphError(131000, 500) : null));
    await drainChannel(world.services, world.channelId);
    expect(takenOf(taken, ids)).toEqual([]);
    const [held] = await world.sql<{ seconds: number }[]>`
      select extract(epoch from hold_until - now())::float8 as seconds from messages where id = ${first}`;
    expect(held?.seconds).toBeGreaterThan(60 - limitMs(4_000) / 1000);
    expect(held?.seconds).toBeLessThanOrEqual(60);
    await world.sql`update messages set hold_until = now() where id = ${first}`;
    await drainUntilSent(rest);
    expect(takenOf(taken, ids)).toEqual(rest);
    refusing(() => null);
    await world.sql`update messages set next_attempt_at = now() where id = ${first}`;
    await drainUntilSent([first]);
  });

  test("wait for a customer's pair limit, all of them, and keep their order", async () => {
    const { ids } = await queueOf(3);
    const taken = refusing((id, call) => (id === ids[0] && call === 1 ? graphError(131056) : null));
    await drainUntilSent(ids);
    expect(takenOf(taken, ids)).toEqual(ids);
  });

  test("don't wait for one whose call is in doubt", async () => {
    const { ids } = await queueOf(3);
    const [first = "", ...rest] = ids;
    const taken = refusing((id) => (id === first ? silent : null));
    await drainUntilSent(rest, world.hasty);
    expect(takenOf(taken, ids)).toEqual(rest);
    expect(await outcomesOf(world, first)).toEqual(["uncertain"]);
  });
});
