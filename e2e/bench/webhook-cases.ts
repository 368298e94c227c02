import { z } from "zod";
import { attachWaypost } from "@/e2e/support/waypost";
import { IN_FLIGHT_MAX } from "@/server/domain/webhooks/deliver/claim";
import { createKey } from "@/e2e/support/cli";
import { httpCall } from "@/e2e/support/http-call";
import { until } from "@/e2e/support/until";
import type { Case } from "./case";
import type { LoadResult } from "./load";
import type { Arrival } from "./receiver";
import type { RunningWorker } from "./start-worker";
import { median, quantile } from "./statistics";
import { type BenchWaypost, pacedMessages } from "./waypost";

const DELIVERIES = 30_000;
const DELIVER_MS_MAX = 10 * 60_000;
const STATES_PER_SECOND = 50;
const ARRIVE_MS_MAX = 60_000;

/** How fast due deliveries to one endpoint are made: claimed, signed, posted, outcome stored. */
export const WEBHOOKS = {
  title: "Webhooks delivered at full speed",
  isOnce: true,
  goal: { of: "requestsPerSecond", atLeast: 1_000 },
  async open(bench) {
    const waypost = await bench.waypost();
    let endpointId = "";
    return {
      async prepare() {
        endpointId = await makeEndpoint(waypost, ["message.received"]);
        await queueDeliveries(waypost, endpointId);
      },
      measure: () => measureDeliveries(waypost, endpointId),
      settle: waypost.settle,
    };
  },
} as const satisfies Case;

/** From a change of a message's state to its webhook at the receiver. */
export const WEBHOOK_DELAY = {
  title: `State change → webhook received, at ${STATES_PER_SECOND}/s`,
  isPaced: true,
  goal: { of: "p50Ms", atMost: 100 },
  async open(bench) {
    const waypost = await bench.waypost();
    await makeEndpoint(waypost, ["message.sent"]);
    const worker = await bench.startWorker("pace");
    return { measure: (seconds) => measureDelay(waypost, worker, seconds), settle: waypost.settle };
  },
} as const satisfies Case;

/** An unresponsive receiver with a million due deliveries, beside a responsive one, with two processes. */
export const WEBHOOK_NEIGHBOUR = {
  title: "The same beside an endpoint that stalls with a million due",
  isPaced: true,
  isOnce: true,
  isExtra: true,
  async open(bench) {
    const waypost = await bench.waypost();
    const { host } = new URL((await waypost.receiver.run({})).url);
    const second = await attachWaypost(waypost.server, { LOG_LEVEL: "warn", ALLOWED_PRIVATE_HOSTS: host });
    bench.atEnd(async () => void (await second.stop()));
    bench.measuredPids.add(second.pid);
    await makeEndpoint(waypost, ["message.sent"]);
    const worker = await bench.startWorker("pace");
    return { measure: (seconds) => measureNeighbour(waypost, worker, seconds), settle: waypost.settle };
  },
} as const satisfies Case;

const STALLED_DELIVERIES = 1_000_000;
/** In turns, so that other work on the machine affects both equally. */
const NEIGHBOUR_TURNS = 4;

async function measureNeighbour(
  waypost: BenchWaypost,
  worker: RunningWorker<"pace">,
  seconds: number,
): Promise<LoadResult> {
  const { sql, receiver } = waypost;
  const endpointId = await makeEndpoint(waypost, ["message.received"], "stallingUrl");
  await queueDeliveries(waypost, endpointId, STALLED_DELIVERIES);
  await sql`vacuum analyze webhook_deliveries, webhook_events, webhook_endpoints`;
  const alone: number[] = [];
  const beside: number[] = [];
  for (let turn = 0; turn < NEIGHBOUR_TURNS; turn += 1) {
    await hold(sql, endpointId, true);
    alone.push((await measureDelay(waypost, worker, seconds)).p50Ms ?? NaN);
    // A fresh state: nothing is known about it, so that it may have all of its concurrent calls.
    await hold(sql, endpointId, false);
    beside.push((await measureDelay(waypost, worker, seconds)).p50Ms ?? NaN);
  }
  return {
    requests: NEIGHBOUR_TURNS * seconds * STATES_PER_SECOND,
    requestsPerSecond: STATES_PER_SECOND,
    p50Ms: median(beside),
    p99Ms: null,
    wrong: {},
    facts: [
      { name: "p50 without the one that stalls, ms", value: median(alone) },
      { name: "p50 beside it, as a multiple", value: median(beside) / median(alone), atMost: 1.2 },
      {
        name: "calls in flight to the one that stalls, of both processes",
        value: (await receiver.run({})).stalledMax,
        atMost: IN_FLIGHT_MAX,
      },
    ],
  };
}

/** The events of a message that is handed over, delivered and read. */
export const STATE_EVENTS = ["message.sent", "message.delivered", "message.read"] as const;

/** @returns its id. */
export async function makeEndpoint(
  waypost: BenchWaypost,
  events: readonly string[],
  where: "url" | "stallingUrl" = "url",
): Promise<string> {
  const { server, organizationId, receiver } = waypost;
  const { secret } = await createKey(server, organizationId, { scopes: ["webhooks:manage"] });
  const { [where]: url } = await receiver.run({});
  const answer = await httpCall({
    method: "POST",
    url: `${waypost.url}/webhooks`,
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    body: Buffer.from(JSON.stringify({ url, events })),
  });
  if (answer.status !== 201) throw new Error(`The endpoint was answered ${answer.status}: ${answer.text}`);
  return z.object({ id: z.string() }).parse(JSON.parse(answer.text)).id;
}

/** Adds events of the size of a state change, held back until `release`. */
async function queueDeliveries(
  { sql, organizationId }: BenchWaypost,
  endpointId: string,
  count = DELIVERIES,
): Promise<void> {
  await hold(sql, endpointId, true);
  await sql`
    with happened as (
      insert into webhook_events (id, organization_id, type, body)
      select gen_random_uuid(), ${organizationId}, 'message.received',
        json_build_object('type', 'message.received', 'timestamp', now(), 'data', json_build_object('filler', repeat('x', 700)))::text
      from generate_series(1, ${count}::int) returning id)
    insert into webhook_deliveries (id, organization_id, endpoint_id, event_id, type, state, next_attempt_at)
    select gen_random_uuid(), ${organizationId}, ${endpointId}, id, 'message.received', 'pending', now() from happened`;
}

/** Holds them back as a back-off would. */
async function hold(sql: BenchWaypost["sql"], endpointId: string, isHeld: boolean): Promise<void> {
  await sql`
    update webhook_endpoints set backoff_streak = ${isHeld ? 1 : 0},
      backoff_until = case when ${isHeld} then now() + interval '1 hour' end
    where id = ${endpointId}`;
}

async function measureDeliveries({ sql, receiver }: BenchWaypost, endpointId: string): Promise<LoadResult> {
  await receiver.run({});
  await hold(sql, endpointId, false);
  const arrivals: Arrival[] = [];
  await until(
    "everything is delivered",
    async () => {
      arrivals.push(...(await receiver.run({})).arrivals);
      const [row] = await sql`
        select 1 from webhook_deliveries where endpoint_id = ${endpointId} and is_pending limit 1`;
      return row === undefined;
    },
    { timeoutMs: DELIVER_MS_MAX, intervalMs: 250 },
  );
  const [first, last] = [arrivals[0], arrivals.at(-1)];
  const seconds = ((last?.arrivedAtMs ?? 0) - (first?.arrivedAtMs ?? 0)) / 1000;
  const delivered = new Set(arrivals.map(({ id }) => id)).size;
  return {
    requests: delivered,
    requestsPerSecond: delivered / seconds,
    p50Ms: null,
    p99Ms: null,
    wrong: delivered === DELIVERIES ? {} : { 0: DELIVERIES - delivered },
    facts: [{ name: "delivered more than once", value: arrivals.length - delivered }],
  };
}

async function measureDelay(
  waypost: BenchWaypost,
  worker: RunningWorker<"pace">,
  seconds: number,
): Promise<LoadResult> {
  await waypost.receiver.run({});
  const { accepted, wrong } = await worker.run(pacedMessages(waypost, STATES_PER_SECOND, seconds));
  await waypost.settle();
  const arrivals: Arrival[] = [];
  const areAll = async () => {
    arrivals.push(...(await waypost.receiver.run({})).arrivals);
    return arrivals.length >= accepted.length;
  };
  await until("every state change has arrived", areAll, { timeoutMs: ARRIVE_MS_MAX }).catch(
    (cause: unknown) => {
      throw new Error(`${arrivals.length} of ${accepted.length} state changes have arrived`, { cause });
    },
  );
  const delaysMs = arrivals
    .map(({ arrivedAtMs, happenedAtMs }) => Math.max(0, arrivedAtMs - happenedAtMs))
    .toSorted((a, b) => a - b);
  return {
    requests: arrivals.length,
    requestsPerSecond: STATES_PER_SECOND,
    p50Ms: quantile(delaysMs, 0.5),
    p99Ms: quantile(delaysMs, 0.99),
    wrong,
  };
}
