import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Sql } from "@/db/client";
import { type Demo, demo } from "@/e2e/support/cli";
import { httpCall } from "@/e2e/support/http-call";
import { until } from "@/e2e/support/until";
import { endPause, queueBehindPause } from "./backlog";
import type { Bench, Case } from "./case";
import type { Fact, LoadResult } from "./load";
import { type MemoryUse, watchMemory } from "./memory";
import { type BenchWaypost, owedCallbacks } from "./waypost";

const FULL_SPEED_SECONDS = 30;
/** More than can be handed over in that time. */
const FULL_SPEED_MESSAGES = 45_000;
const DRAIN_MESSAGES = 100_000;
const DRAIN_MS_MAX = 15 * 60_000;
/** Limit for every process of ours and of PostgreSQL. */
const PROCESS_MB_MAX = 400;

/** Other organizations, each with its first message during the drain. */
const OTHERS = 6;
const OTHERS_EVERY_MS = 10_000;
const OTHERS_MS_MAX = 2_000;

/** How fast waiting messages are handed over, including the processing of their callbacks. */
export const FULL_SPEED = {
  title: "Handed upstream at full speed",
  isOnce: true,
  goal: { of: "requestsPerSecond", atLeast: 500 },
  async open(bench) {
    const waypost = await bench.waypost();
    return {
      prepare: () => queueBehindPause(waypost, FULL_SPEED_MESSAGES),
      measure: () => measureFullSpeed(bench, waypost),
      settle: waypost.settle,
    };
  },
} as const satisfies Case;

/** The cost of a large organization's queue, and its effect on others. */
export const DRAIN_100K = {
  title: `${DRAIN_MESSAGES.toLocaleString("en")} messages queued at once`,
  isOnce: true,
  isExtra: true,
  async open(bench) {
    const waypost = await bench.waypost();
    const others: Demo[] = [];
    return {
      async prepare() {
        for (let other = 0; other < OTHERS; other += 1) others.push(await demo(waypost.server));
        await queueBehindPause(waypost, DRAIN_MESSAGES);
      },
      measure: () => measureDrain(bench, waypost, others),
      settle: waypost.settle,
    };
  },
} as const satisfies Case;

async function measureFullSpeed(bench: Bench, waypost: BenchWaypost): Promise<LoadResult> {
  const memoryUsed = watchMemory(bench.measuredPids);
  const startsAt = await startSending(waypost);
  await pause(startsAt.getTime() + FULL_SPEED_SECONDS * 1000 - Date.now());
  const owed = await owedCallbacks(waypost.server.simulatorUrl);
  const memory = memoryUsed();
  const span = { startsAt, endsAt: new Date(startsAt.getTime() + FULL_SPEED_SECONDS * 1000) };
  const { handed, ...facts } = await handedIn(waypost, span);
  return {
    ...resultOf(handed, FULL_SPEED_SECONDS),
    facts: [
      { name: "conversations", value: facts.conversations },
      { name: "messages in the slowest second", value: facts.slowestSecond },
      ...(await callbackFacts(waypost.sql, span)),
      { name: "callbacks that the upstream had still to tell at the end", value: owed },
      ...memoryFacts(memory),
    ],
  };
}

async function measureDrain(
  bench: Bench,
  waypost: BenchWaypost,
  others: readonly Demo[],
): Promise<LoadResult> {
  const memoryUsed = watchMemory(bench.measuredPids);
  const startsAt = await startSending(waypost);
  const sending = sendFirstMessages(waypost, others);
  await until("everything is handed upstream", () => isDrained(waypost), {
    timeoutMs: DRAIN_MS_MAX,
    intervalMs: 1_000,
  });
  const endsAt = new Date();
  const delaysMs = await sending;
  const memory = memoryUsed();
  const { handed } = await handedIn(waypost, { startsAt, endsAt });
  return {
    ...resultOf(handed, (endsAt.getTime() - startsAt.getTime()) / 1000),
    facts: [
      { name: "seconds until all were handed over", value: (endsAt.getTime() - startsAt.getTime()) / 1000 },
      ...(await callbackFacts(waypost.sql, { startsAt, endsAt })),
      ...delaysMs.map((delayMs, index) => ({
        name: `first message of another organization ${index + 1}, accepted → handed upstream, ms`,
        value: delayMs,
        atMost: OTHERS_MS_MAX,
      })),
      ...memoryFacts(memory),
    ],
  };
}

function resultOf(handed: number, seconds: number): LoadResult {
  return { requests: handed, requestsPerSecond: handed / seconds, p50Ms: null, p99Ms: null, wrong: {} };
}

/** Ends the pause. @returns when the first call started. */
export async function startSending(waypost: BenchWaypost): Promise<Date> {
  const { sql, channelId } = waypost;
  const [before] = await sql<{ now: Date }[]>`select clock_timestamp() as now`;
  await endPause(waypost);
  return until("the first message is handed over", async () => {
    const [row] = await sql<{ at: Date | null }[]>`
      select min(started_at) as at from message_attempts
      where channel_id = ${channelId} and started_at > ${before?.now ?? null}`;
    return row?.at ?? undefined;
  });
}

async function isDrained({ sql, channelId }: BenchWaypost): Promise<boolean> {
  const [row] = await sql`select 1 from messages where channel_id = ${channelId} and is_queued limit 1`;
  return row === undefined;
}

/**
 * Sends one message for each organization, one after another. @returns how long each took to be handed upstream, in ms.
 */
async function sendFirstMessages(waypost: BenchWaypost, others: readonly Demo[]): Promise<number[]> {
  const delaysMs: number[] = [];
  for (const other of others) {
    await pause(OTHERS_EVERY_MS);
    delaysMs.push(await sendFirstMessage(waypost, other));
  }
  return delaysMs;
}

/** By the stored response, which is slightly later than the upstream's. */
async function sendFirstMessage({ url, sql }: BenchWaypost, { api_key, contacts }: Demo): Promise<number> {
  const body = JSON.stringify({
    client_message_id: randomUUID(),
    type: "text",
    to: { kind: "whatsapp", handle: contacts.open_window.handle },
    text: { body: "The first of its organization" },
  });
  const headers = { authorization: `Bearer ${api_key.secret}`, "content-type": "application/json" };
  const answer = await httpCall({ method: "POST", url: `${url}/messages`, headers, body: Buffer.from(body) });
  const acceptedAtMs = Date.now();
  const { message_id: id }: { message_id?: unknown } = JSON.parse(answer.text);
  if (answer.status !== 201 || typeof id !== "string") throw new Error(`It was answered ${answer.status}`);
  const handedAt = await until("the first message is handed upstream", async () => {
    const [row] = await sql<{ at: Date | null }[]>`
      select finished_at as at from message_attempts where message_id = ${id} and outcome = 'accepted'`;
    return row?.at ?? undefined;
  });
  return Math.max(0, handedAt.getTime() - acceptedAtMs);
}

export interface Span {
  readonly startsAt: Date;
  readonly endsAt: Date;
}

export async function handedIn({ sql, channelId }: BenchWaypost, { startsAt, endsAt }: Span) {
  const [row] = await sql<{ handed: number; conversations: number; slowestSecond: number }[]>`
    select coalesce(sum(messages), 0)::int as handed, coalesce(min(messages), 0)::int as "slowestSecond",
      (select count(distinct m.conversation_id)::int from message_attempts a join messages m on m.id = a.message_id
        where a.channel_id = ${channelId} and a.finished_at >= ${startsAt} and a.finished_at < ${endsAt}) as conversations
    from (
      select s.second, count(a.id) as messages
      from generate_series(0, ceil(extract(epoch from ${endsAt}::timestamptz - ${startsAt}::timestamptz))::int - 1) as s (second)
      left join message_attempts a on a.channel_id = ${channelId} and a.outcome = 'accepted' and a.finished_at < ${endsAt}
        and a.finished_at >= ${startsAt}::timestamptz + make_interval(secs => s.second)
        and a.finished_at < ${startsAt}::timestamptz + make_interval(secs => s.second + 1)
      group by s.second) seconds`;
  return row ?? { handed: 0, conversations: 0, slowestSecond: 0 };
}

/** Measures from the moment a callback was stored to the moment it was processed. */
async function callbackFacts(sql: Sql, { startsAt, endsAt }: Span): Promise<readonly Fact[]> {
  const [row] = await sql<{ p50: number | null; p99: number | null; waiting: number }[]>`
    select percentile_cont(0.5) within group (order by lag_ms) as p50, percentile_cont(0.99) within group (order by lag_ms) as p99,
      count(*) filter (where processed_at is null or processed_at > ${endsAt})::int as waiting
    from (
      select processed_at, extract(epoch from processed_at - received_at)::float8 * 1000 as lag_ms from upstream_callbacks
      where received_at >= ${startsAt} and received_at < ${endsAt}) c`;
  return [
    { name: "a callback's lag p50, ms", value: row?.p50 ?? NaN },
    { name: "a callback's lag p99, ms", value: row?.p99 ?? NaN },
    { name: "callbacks that waited at the end", value: row?.waiting ?? NaN },
  ];
}

function memoryFacts(memory: MemoryUse | null): readonly Fact[] {
  if (memory === null) return [];
  const megabytes = (bytes: number) => bytes / 1024 ** 2;
  return [
    { name: "peak of the node process, MB", value: megabytes(memory.nodePeakBytes), atMost: PROCESS_MB_MAX },
    {
      name: "peak of PostgreSQL's largest process, shared buffers included, MB",
      value: megabytes(memory.postgresProcessPeakBytes),
      atMost: PROCESS_MB_MAX,
    },
    {
      name: "peak of all of PostgreSQL's processes together, MB",
      value: megabytes(memory.postgresTotalPeakBytes),
    },
  ];
}
