import { afterAll, beforeAll, expect, test } from "vitest";
import { sendPaced } from "@/e2e/bench/pace";
import { quantile } from "@/e2e/bench/statistics";
import { type LinkedEngine, openLinkedEngine } from "./linked";

const EVENTS = 2_000;
const EVENT_SENDERS = 16;
const PACE = { messagesPerSecond: 50, seconds: 10 } as const;
const BURST = 2_000;

let engine: LinkedEngine;
beforeAll(async () => {
  engine = await openLinkedEngine({ jobsProcesses: 1 });
});
afterAll(() => engine?.close());

test("what is accepted at 50 a second is handed upstream", async () => {
  const { api, customers, sql } = engine.world;
  engine.seen.events = 0;
  engine.seen.runs = 0;
  const { accepted, wrong } = await sendPaced({
    url: `${api.baseUrl}/api/public/v1/messages`,
    headers: { Authorization: `Bearer ${customers.secret}`, "Content-Type": "application/json" },
    handles: customers.handles,
    ...PACE,
  });
  expect(wrong).toEqual({});
  const ids = accepted.map(({ messageId }) => messageId);
  await expect.poll(async () => (await handedOver(ids)).length, { timeout: 60_000 }).toBe(ids.length);
  const waitsMs = await handedOver(ids);
  const { events, runs } = engine.seen;
  console.log(
    `accepted to handed upstream at 50 a second: p50 ${Math.round(quantile(waitsMs, 0.5))} ms, p99 ${Math.round(quantile(waitsMs, 0.99))} ms (${events} calls with events, ${runs} runs for ${ids.length} messages)`,
  );

  /** Returns the waiting time of each, in order. */
  async function handedOver(messageIds: readonly string[]): Promise<number[]> {
    const rows = await sql<{ ms: number }[]>`
      select extract(epoch from min(a.started_at) - m.created_at)::float8 * 1000 as ms
      from messages m join message_attempts a on a.message_id = m.id
      where m.id = any(${[...messageIds]}::uuid[]) group by m.id, m.created_at order by ms`;
    return rows.map(({ ms }) => ms);
  }
});

test("a burst is drained", async () => {
  const { world } = engine;
  const sending = world.send(BURST);
  const fate = await world.fateOf(sending, 120_000);
  expect(fate).toMatchObject({ once: BURST, lost: [], twice: [] });
  const ids = [...sending.accepted.values()];
  const [row] = await world.sql<{ seconds: number }[]>`
    select extract(epoch from max(finished_at) - min(started_at))::float8 as seconds
    from message_attempts where message_id = any(${ids}::uuid[])`;
  expect(row?.seconds).toBeGreaterThan(0);
  console.log(`messages a second handed upstream: ${Math.round(BURST / (row?.seconds ?? 1))}`);
});

// Last, because the server works through the events for a while, and later ones wait.
test("the server takes events", async () => {
  const { url, eventKey } = engine.server;
  const left = Array.from({ length: EVENTS }).values();
  const startedAtMs = performance.now();
  const senders = Array.from({ length: EVENT_SENDERS }, async () => {
    for (const _ of left) {
      const answer = await fetch(`${url}/e/${eventKey}`, {
        method: "POST",
        body: JSON.stringify([{ name: "waypost/nobody.listens", data: {} }]),
      });
      expect(answer.status).toBe(200);
      await answer.arrayBuffer();
    }
  });
  await Promise.all(senders);
  const seconds = (performance.now() - startedAtMs) / 1000;
  console.log(`events a second, one by one: ${Math.round(EVENTS / seconds)}`);
});
