import type { Bench, Case, OpenCase } from "./case";
import { generateSecret } from "@/server/domain/keys/secret";
import { DRAIN_100K, FULL_SPEED } from "./drain-cases";
import { startEmptyNext } from "./empty-next";
import { IDLE } from "./idle-case";
import { LIFE, LIFE_OF_SEVERAL } from "./life-case";
import { LIVE_PAGES } from "./live-pages-case";
import { type BodySource, type LoadJob, type LoadResult, newMessage } from "./load";
import { LOAD } from "./load-case";
import { LONE } from "./lone-case";
import { SIGN_INS_CASE } from "./sign-ins-case";
import type { RunningWorker } from "./start-worker";
import { quantile } from "./statistics";
import { WEBHOOK_DELAY, WEBHOOK_NEIGHBOUR, WEBHOOKS } from "./webhook-cases";
import { type BenchWaypost, pacedMessages, sendOnce, startBenchWaypost } from "./waypost";

const CONNECTIONS = 32;
const PACE_PER_SECOND = 50;

/** Starts Waypost for the first case that uses it. */
export function createBench(options: Omit<Bench, "waypost">): Bench {
  let waypost: Promise<BenchWaypost> | null = null;
  async function start(): Promise<BenchWaypost> {
    const receiver = await options.startWorker("receiver");
    const started = await startBenchWaypost(receiver);
    options.atEnd(started.stop);
    options.measuredPids.add(started.server.pid);
    return started;
  }
  return { ...options, waypost: () => (waypost ??= start()) };
}

const nothingLeft = async () => undefined;

/** Unused numbers, for systems that never look at them. */
const ANY_HANDLES = ["491510000000"];

export const CASES = {
  "empty-next": {
    title: "Empty Next.js route handler",
    async open(bench) {
      const next = await startEmptyNext(bench.appRoot);
      bench.atEnd(next.stop);
      bench.measuredPids.add(next.pid);
      const load = loadOf({
        url: next.url,
        headers: {},
        body: { kind: "newMessages", handles: ANY_HANDLES },
      });
      return {
        measure: (seconds) => bench.load.run({ ...load, statusExpected: 200, seconds }),
        settle: nothingLeft,
      };
    },
  },
  "bare-bridge": {
    title: "Bare bridge over node:http",
    async open(bench) {
      const worker = await bench.startWorker("bridge");
      bench.measuredPids.add(worker.pid);
      const url = await worker.run({});
      const load = loadOf({ url, headers: {}, body: { kind: "newMessages", handles: ANY_HANDLES } });
      return {
        measure: (seconds) => bench.load.run({ ...load, statusExpected: 200, seconds }),
        settle: nothingLeft,
      };
    },
  },
  "postgres-alone": {
    title: "PostgreSQL alone, same statements",
    async open(bench) {
      const worker = await bench.startWorker("postgres");
      bench.measuredPids.add(worker.pid);
      return { measure: (seconds) => worker.run({ concurrency: CONNECTIONS, seconds }), settle: nothingLeft };
    },
  },
  "post-new": {
    title: "POST /messages, new",
    goal: { of: "ratio", atLeast: 4 },
    open: (bench) => messagesCase(bench, 201, async ({ handles }) => ({ kind: "newMessages", handles })),
  },
  "post-repeat": {
    title: "POST /messages, repeated",
    goal: { of: "ratio", atLeast: 5 },
    open: (bench) =>
      messagesCase(bench, 200, async (waypost) => {
        const body = newMessage(waypost.handles[0] ?? "");
        await sendOnce(waypost, body);
        return { kind: "fixed", body };
      }),
  },
  "get-message": {
    title: "GET /messages/{id}",
    goal: { of: "ratio", atLeast: 5 },
    async open(bench) {
      const waypost = await bench.waypost();
      const messageId = await sendOnce(waypost, newMessage(waypost.handles[0] ?? ""));
      const load = loadOf({
        url: `${waypost.url}/messages/${messageId}`,
        headers: waypost.headers,
        body: { kind: "none" },
      });
      return {
        measure: (seconds) => bench.load.run({ ...load, method: "GET", statusExpected: 200, seconds }),
        settle: waypost.settle,
      };
    },
  },
  "refused-key": {
    title: "POST /messages, unknown key",
    goal: { of: "ratio", atLeast: 10 },
    async open(bench) {
      const waypost = await bench.waypost();
      const headers = { authorization: `Bearer ${generateSecret().secret}` };
      const { handles } = waypost;
      const load = loadOf({
        url: `${waypost.url}/messages`,
        headers,
        body: { kind: "newMessages", handles },
      });
      return {
        measure: (seconds) => bench.load.run({ ...load, statusExpected: 401, seconds }),
        settle: waypost.settle,
      };
    },
  },
  "handed-upstream": {
    title: `Accepted → handed upstream, at ${PACE_PER_SECOND}/s`,
    isPaced: true,
    goal: { of: "p50Ms", atMost: 50 },
    async open(bench) {
      const waypost = await bench.waypost();
      const worker = await bench.startWorker("pace");
      return { measure: (seconds) => measureHandOver(waypost, worker, seconds), settle: waypost.settle };
    },
  },
  "webhook-delay": WEBHOOK_DELAY,
  webhooks: WEBHOOKS,
  "webhook-neighbour": WEBHOOK_NEIGHBOUR,
  lone: LONE,
  life: LIFE,
  "life-several": LIFE_OF_SEVERAL,
  load: LOAD,
  idle: IDLE,
  "live-pages": LIVE_PAGES,
  "sign-ins": SIGN_INS_CASE,
  "full-speed": FULL_SPEED,
  "drain-100k": DRAIN_100K,
} as const satisfies Record<string, Case>;

export type CaseName = keyof typeof CASES;

function loadOf(
  target: Pick<LoadJob, "url" | "headers" | "body">,
): Omit<LoadJob, "seconds" | "statusExpected"> {
  const headers = { ...target.headers, "content-type": "application/json" };
  return { ...target, headers, method: "POST", connections: CONNECTIONS };
}

async function messagesCase(
  bench: Bench,
  statusExpected: number,
  bodyOf: (waypost: BenchWaypost) => Promise<BodySource>,
): Promise<OpenCase> {
  const waypost = await bench.waypost();
  const body = await bodyOf(waypost);
  const load = loadOf({ url: `${waypost.url}/messages`, headers: waypost.headers, body });
  return {
    measure: (seconds) => bench.load.run({ ...load, statusExpected, seconds }),
    settle: waypost.settle,
  };
}

/** Measures from the moment a client read the 201 to the moment the upstream received the message. */
async function measureHandOver(
  waypost: BenchWaypost,
  worker: RunningWorker<"pace">,
  seconds: number,
): Promise<LoadResult> {
  const { accepted, wrong } = await worker.run(pacedMessages(waypost, PACE_PER_SECOND, seconds));
  await waypost.settle();
  const { messages } = await waypost.ledger();
  const takenAtMs = new Map(
    messages.map((message) => [message.biz_opaque_callback_data, Date.parse(message.at)]),
  );
  const delaysMs = accepted.flatMap(({ messageId, answeredAtMs }) => {
    const atMs = takenAtMs.get(messageId);
    // The upstream stores whole milliseconds, and may be faster than our reading of the 201.
    return atMs === undefined ? [] : [Math.max(0, atMs - answeredAtMs)];
  });
  delaysMs.sort((a, b) => a - b);
  const missing = accepted.length - delaysMs.length;
  return {
    requests: accepted.length,
    requestsPerSecond: PACE_PER_SECOND,
    p50Ms: quantile(delaysMs, 0.5),
    p99Ms: quantile(delaysMs, 0.99),
    wrong: missing > 0 ? { ...wrong, 0: missing } : wrong,
  };
}
