import { setTimeout as pause } from "node:timers/promises";
import { createDataDirectory, removeDataDirectory } from "@/e2e/support/data-directory";
import { startCounting } from "@/e2e/support/statement-counts";
import { until } from "@/e2e/support/until";
import { type Activity, METRICS_TOKEN, transactionsOf, watchActivity } from "./activity";
import type { Case } from "./case";
import { type Fact, type LoadResult, wrongOf } from "./load";
import type { Arrival } from "./receiver";
import type { RunningWorker } from "./start-worker";
import { quantile } from "./statistics";
import { type BenchWaypost, pacedMessages, startBenchWaypost } from "./waypost";
import { makeEndpoint, STATE_EVENTS } from "./webhook-cases";

/** The pace, and for how long it is kept. The last one is what the others are compared with. */
const PACES = [
  { perSecond: 1, seconds: 30 },
  { perSecond: 5, seconds: 20 },
  { perSecond: 20, seconds: 15 },
  { perSecond: 50, seconds: 15 },
  { perSecond: 200, seconds: 15 },
] as const;
const WARM_UP = { perSecond: 50, seconds: 20 } as const;
const IDLE_MS = 15_000;
/** After this time PostgreSQL knows of every transaction. */
const REPORTED_AFTER_MS = 11_000;
const ARRIVE_MS_MAX = 60_000;

const GOALS: Readonly<Record<string, number>> = {
  "1/s: CPU of a message, ms": 40,
  "1/s: statements of a message": 45,
  "1/s: transactions of a message": 20,
  "1/s: 201 → event of its hand-over received p50, ms": 15,
  "20/s: CPU of a message, ms": 15,
};
/** The cost of a message at the slowest pace, as a multiple of its cost at the fastest. */
const MULTIPLE_MAX = 6;

/** The cost of one message when little else happens, from its request to the webhook of its last state. */
export const LONE = {
  title: "Messages one at a time, accepted → third event delivered",
  isPaced: true,
  isOnce: true,
  isExtra: true,
  async open(bench) {
    const receiver = await bench.startWorker("receiver");
    const worker = await bench.startWorker("pace");
    const dataDir = await createDataDirectory();
    bench.atEnd(() => removeDataDirectory(dataDir));
    const waypost = await startBenchWaypost(receiver, {
      env: { WAYPOST_METRICS_TOKEN: METRICS_TOKEN },
      start: (options) => startCounting(dataDir, options),
    });
    bench.atEnd(waypost.stop);
    bench.measuredPids.add(waypost.server.pid);
    await makeEndpoint(waypost, STATE_EVENTS);
    return { measure: () => measureLone(waypost, worker), settle: waypost.settle };
  },
} as const satisfies Case;

interface Measured {
  readonly perSecond: number;
  readonly result: LoadResult;
  /** CPU time of one message, in milliseconds. */
  readonly cpuMs: number;
  readonly facts: readonly Fact[];
}

async function measureLone(waypost: BenchWaypost, worker: RunningWorker<"pace">): Promise<LoadResult> {
  await sendAndReceive(waypost, worker, WARM_UP);
  const idle = await measureIdle(waypost);
  const measured: Measured[] = [];
  for (const pace of PACES) measured.push(await measurePace(waypost, worker, pace, idle));
  const [slowest, fastest] = [measured[0], measured.at(-1)];
  const multiple = (slowest?.cpuMs ?? NaN) / (fastest?.cpuMs ?? NaN);
  return {
    requests: measured.reduce((sum, { result }) => sum + result.requests, 0),
    requestsPerSecond: 0,
    p50Ms: slowest?.result.p50Ms ?? null,
    p99Ms: slowest?.result.p99Ms ?? null,
    wrong: wrongOf(measured.map(({ result }) => result)),
    facts: [
      { name: "idle: CPU of node, ms/s", value: idle.nodeMs / idle.seconds },
      { name: "idle: CPU of PostgreSQL, ms/s", value: idle.postgresMs / idle.seconds },
      { name: "idle: transactions/s", value: idle.transactions / idle.transactionSeconds },
      ...measured.flatMap(({ facts }) => facts),
      {
        name: "CPU of a message at 1/s, as a multiple of that at 200/s",
        value: multiple,
        atMost: MULTIPLE_MAX,
      },
    ],
  };
}

interface Idle extends Activity {
  readonly transactions: number;
  readonly transactionSeconds: number;
}

async function measureIdle(waypost: BenchWaypost): Promise<Idle> {
  await pause(REPORTED_AFTER_MS);
  const startedAtMs = performance.now();
  const before = await transactionsOf(waypost);
  const activity = await watchActivity(waypost);
  await pause(IDLE_MS);
  const used = await activity();
  await pause(REPORTED_AFTER_MS);
  return {
    ...used,
    transactions: (await transactionsOf(waypost)) - before,
    transactionSeconds: (performance.now() - startedAtMs) / 1000,
  };
}

async function measurePace(
  waypost: BenchWaypost,
  worker: RunningWorker<"pace">,
  pace: (typeof PACES)[number],
  idle: Idle,
): Promise<Measured> {
  const startedAtMs = performance.now();
  const before = await transactionsOf(waypost);
  const activity = await watchActivity(waypost);
  const result = await sendAndReceive(waypost, worker, pace);
  const used = await activity();
  await pause(REPORTED_AFTER_MS);
  const seconds = (performance.now() - startedAtMs) / 1000;
  const transactions =
    (await transactionsOf(waypost)) - before - (seconds * idle.transactions) / idle.transactionSeconds;
  const ofMessage = (field: "nodeMs" | "postgresMs" | "statements" | "writes" | "jobRuns") =>
    (used[field] - (used.seconds * idle[field]) / idle.seconds) / result.requests;
  const [nodeMs, postgresMs] = [ofMessage("nodeMs"), ofMessage("postgresMs")];
  const named: readonly (readonly [string, number])[] = [
    ["CPU of a message, ms", nodeMs + postgresMs],
    ["of it node, with the simulator, ms", nodeMs],
    ["of it PostgreSQL, ms", postgresMs],
    ["statements of a message", ofMessage("statements")],
    ["transactions of a message", transactions / result.requests],
    ["write calls of a message", ofMessage("writes")],
    ["job runs of a message", ofMessage("jobRuns")],
    ["201 → event of its hand-over received p50, ms", result.p50Ms ?? NaN],
    ["201 → event of its hand-over received p99, ms", result.p99Ms ?? NaN],
  ];
  return {
    perSecond: pace.perSecond,
    result,
    cpuMs: nodeMs + postgresMs,
    facts: named.map(([title, value]) => {
      const name = `${pace.perSecond}/s: ${title}`;
      const atMost = GOALS[name];
      return atMost === undefined ? { name, value } : { name, value, atMost };
    }),
  };
}

/** Sends at that pace. @returns when all events have arrived, with the times from a 201 to the event `message.sent`. */
async function sendAndReceive(
  waypost: BenchWaypost,
  worker: RunningWorker<"pace">,
  { perSecond, seconds }: { readonly perSecond: number; readonly seconds: number },
): Promise<LoadResult> {
  await waypost.receiver.run({});
  const { accepted, wrong } = await worker.run(pacedMessages(waypost, perSecond, seconds));
  const arrivals: Arrival[] = [];
  const areAll = async () => {
    arrivals.push(...(await waypost.receiver.run({})).arrivals);
    return arrivals.length >= STATE_EVENTS.length * accepted.length;
  };
  await until("every event has arrived", areAll, { timeoutMs: ARRIVE_MS_MAX });
  const sentAtMs = new Map(
    arrivals.flatMap(({ type, messageId, arrivedAtMs }) =>
      type === "message.sent" ? [[messageId, arrivedAtMs] as const] : [],
    ),
  );
  const delaysMs = accepted
    .map(({ messageId, answeredAtMs }) => Math.max(0, (sentAtMs.get(messageId) ?? NaN) - answeredAtMs))
    .toSorted((a, b) => a - b);
  return {
    requests: accepted.length,
    requestsPerSecond: perSecond,
    p50Ms: quantile(delaysMs, 0.5),
    p99Ms: quantile(delaysMs, 0.99),
    wrong,
  };
}
