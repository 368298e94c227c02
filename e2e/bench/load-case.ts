import { setTimeout as pause } from "node:timers/promises";
import { createDataDirectory, removeDataDirectory } from "@/e2e/support/data-directory";
import { startSimulatorProcess } from "@/e2e/support/simulator-process";
import { METRICS_TOKEN } from "./activity";
import { queueBehindPause } from "./backlog";
import type { Bench, Case } from "./case";
import { watchCpu, worstOf } from "./cpu";
import { handedIn, startSending } from "./drain-cases";
import { countAbove, histogramFacts, latencyHistogram, PAUSE_MS } from "./histogram";
import { type Fact, type LoadResult, newMessage, wrongOf } from "./load";
import type { PacedMessages, PacedRequest } from "./pace";
import { checkpoint, vacuumHotTables, watchMaintenance, watchProcessPauses } from "./pauses";
import type { RunningWorker } from "./start-worker";
import { quantile } from "./statistics";
import { type BenchWaypost, newMessagesLoad, pacedMessages, sendOnce, startBenchWaypost } from "./waypost";

/** Of each kind of request, at full speed. */
const CONNECTIONS = 16;
const WARM_UP_SECONDS = 5;
/** Of each kind, so that the generator of the schedule isn't measured while it is new. */
const WARM_UP_PER_SECOND = 200;
const CAPACITY_SECONDS = 10;
const CAPACITY_PART = 0.7;
const SECONDS = 20;
const BACKLOG_MESSAGES = 8_000;
const MESSAGES_READ = 2_000;
/** How much later p99 may be than p50. */
const MULTIPLE_MAX = 5;
/** When PostgreSQL's own work begins, in seconds since the start of the schedule. */
const CHECKPOINT_AT_SECONDS = 5;
const VACUUM_AT_SECONDS = 10;

/** Times under load, each from its scheduled moment, while a backlog drains and PostgreSQL tidies up. */
export const LOAD = {
  title: `Accepts and reads at ${100 * CAPACITY_PART} % of capacity, while a backlog drains`,
  isPaced: true,
  isOnce: true,
  isExtra: true,
  async open(bench) {
    const receiver = await bench.startWorker("receiver");
    const workers = { readLoad: await bench.startWorker("load"), pace: await bench.startWorker("pace") };
    const dataDir = await createDataDirectory();
    bench.atEnd(() => removeDataDirectory(dataDir));
    const simulator = await startSimulatorProcess(dataDir);
    bench.atEnd(simulator.close);
    const env = { WAYPOST_SIMULATOR_URL: simulator.url, WAYPOST_METRICS_TOKEN: METRICS_TOKEN };
    const waypost = await startBenchWaypost(receiver, { env });
    bench.atEnd(waypost.stop);
    bench.measuredPids.add(waypost.server.pid);
    return {
      async prepare() {
        await sendOnce(waypost, newMessage(waypost.handles[0] ?? ""));
        await measureCapacity(bench, waypost, workers.readLoad, WARM_UP_SECONDS);
        await workers.pace.run({
          ...pacedMessages(waypost, WARM_UP_PER_SECOND, WARM_UP_SECONDS),
          reads: { messageIds: await newestMessages(waypost, 1), perSecond: WARM_UP_PER_SECOND },
        });
      },
      measure: () => measureUnderLoad(bench, waypost, workers),
      settle: waypost.settle,
    };
  },
} as const satisfies Case;

interface LoadWorkers {
  readonly readLoad: RunningWorker<"load">;
  readonly pace: RunningWorker<"pace">;
}

interface Capacity {
  readonly accepts: LoadResult;
  readonly reads: LoadResult;
  /** Until everything that the requests caused was done, too. */
  readonly seconds: number;
}

/**
 * Puts both kinds of requests on the server at full speed, together, and waits until every message was handed upstream
 * and all its callbacks were processed: what is accepted faster than that only makes the queue longer.
 */
async function measureCapacity(
  bench: Bench,
  waypost: BenchWaypost,
  readLoad: RunningWorker<"load">,
  seconds: number,
): Promise<Capacity> {
  const [messageId = ""] = await newestMessages(waypost, 1);
  const startedAtMs = performance.now();
  const [accepts, reads] = await Promise.all([
    bench.load.run({ ...newMessagesLoad(waypost, CONNECTIONS), seconds }),
    readLoad.run({
      url: `${waypost.url}/messages/${messageId}`,
      method: "GET",
      headers: waypost.headers,
      body: { kind: "none" },
      statusExpected: 200,
      connections: CONNECTIONS,
      seconds,
    }),
  ]);
  await waypost.settle();
  return { accepts, reads, seconds: (performance.now() - startedAtMs) / 1000 };
}

async function newestMessages({ sql, channelId }: BenchWaypost, count: number): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from messages where channel_id = ${channelId} and kind = 'outbound'
    order by created_at desc, id desc limit ${count}`;
  return rows.map(({ id }) => id);
}

async function measureUnderLoad(
  bench: Bench,
  waypost: BenchWaypost,
  { readLoad, pace }: LoadWorkers,
): Promise<LoadResult> {
  const cpuForCapacity = watchCpu(bench.measuredPids);
  const { accepts, reads, seconds } = await measureCapacity(bench, waypost, readLoad, CAPACITY_SECONDS);
  const capacityCpu = cpuForCapacity();
  const capacity = { accepts: accepts.requests / seconds, reads: reads.requests / seconds };
  await queueBehindPause(waypost, BACKLOG_MESSAGES);
  const job = {
    ...pacedMessages(waypost, CAPACITY_PART * capacity.accepts, SECONDS),
    reads: {
      messageIds: await newestMessages(waypost, MESSAGES_READ),
      perSecond: CAPACITY_PART * capacity.reads,
    },
  };
  const { paced, cpu, facts } = await measureSchedule(bench, waypost, () => pace.run(job));
  const acceptedMs = latenciesOf(paced.accepted);
  return {
    requests: paced.accepted.length + paced.read.length,
    requestsPerSecond: job.messagesPerSecond + job.reads.perSecond,
    p50Ms: quantile(acceptedMs, 0.5),
    p99Ms: quantile(acceptedMs, 0.99),
    // Strangers falsify the times, but also the capacity that the schedule is made from.
    cpu: worstOf([cpu, capacityCpu]),
    wrong: wrongOf([accepts, reads, { ...accepts, wrong: paced.wrong }]),
    facts: [
      { name: "at full speed: accepts per second", value: accepts.requestsPerSecond },
      { name: "at full speed: reads per second", value: reads.requestsPerSecond },
      { name: "capacity: accepts per second, with all that they cause", value: capacity.accepts },
      { name: "capacity: reads per second beside them", value: capacity.reads },
      ...latencyFacts("accept", paced.accepted),
      ...latencyFacts("read", paced.read),
      ...facts,
    ],
  };
}

/** Plays the schedule while the backlog drains. @returns also what happened in the same time. */
async function measureSchedule(bench: Bench, waypost: BenchWaypost, play: () => Promise<PacedMessages>) {
  const { sql, server } = waypost;
  const pauses = await watchProcessPauses(server.baseUrl);
  const maintained = await watchMaintenance(sql);
  const startsAt = await startSending(waypost);
  const queuedAtStart = await queuedMessages(waypost);
  const cpuUsed = watchCpu(bench.measuredPids);
  const startedAtMs = performance.now();
  const [paced, ownWork] = await Promise.all([play(), maintain(waypost)]);
  const seconds = (performance.now() - startedAtMs) / 1000;
  const cpu = cpuUsed();
  const queuedAtEnd = await queuedMessages(waypost);
  const endsAt = new Date(startsAt.getTime() + SECONDS * 1000);
  const { handed, slowestSecond } = await handedIn(waypost, { startsAt, endsAt });
  const requests = [...paced.accepted, ...paced.read];
  const latenessMs = sortedMs(requests.map(({ sentAtMs, dueAtMs }) => sentAtMs - dueAtMs));
  const facts: readonly Fact[] = [
    { name: "queued at the start", value: queuedAtStart },
    { name: "queued at the end", value: queuedAtEnd },
    { name: "handed upstream per second", value: handed / SECONDS },
    { name: "handed upstream in the slowest second", value: slowestSecond },
    { name: "given to the connections later than scheduled p99, ms", value: quantile(latenessMs, 0.99) },
    { name: "given to the connections later than scheduled at most, ms", value: quantile(latenessMs, 1) },
    ...(await pauses()),
    ...(await maintained()),
    ...ownWork,
    { name: "CPU of Waypost, ms/s", value: (cpu.split?.node ?? NaN) / seconds },
    { name: "CPU of PostgreSQL, ms/s", value: (cpu.split?.postgres ?? NaN) / seconds },
    { name: "CPU of generator and simulator, ms/s", value: (cpu.split?.load ?? NaN) / seconds },
  ];
  return { paced, cpu, facts };
}

/** Does in the measured time what PostgreSQL does at times of its own choice. */
async function maintain({ sql }: BenchWaypost): Promise<readonly Fact[]> {
  await pause(CHECKPOINT_AT_SECONDS * 1000);
  const ofCheckpoint = await checkpoint(sql);
  await pause((VACUUM_AT_SECONDS - CHECKPOINT_AT_SECONDS) * 1000);
  return [ofCheckpoint, await vacuumHotTables(sql)];
}

async function queuedMessages({ sql, channelId }: BenchWaypost): Promise<number> {
  const [row] = await sql<{ queued: number }[]>`
    select count(*)::int as queued from messages where channel_id = ${channelId} and is_queued`;
  return row?.queued ?? NaN;
}

function latencyFacts(kind: string, requests: readonly PacedRequest[]): readonly Fact[] {
  const latenciesMs = latenciesOf(requests);
  const [p50Ms, p99Ms] = [quantile(latenciesMs, 0.5), quantile(latenciesMs, 0.99)];
  const histogram = latencyHistogram(latenciesMs);
  return [
    { name: `${kind}: scheduled per second`, value: requests.length / SECONDS },
    { name: `${kind}: p50, ms`, value: p50Ms },
    { name: `${kind}: p99, ms`, value: p99Ms },
    { name: `${kind}: p99.9, ms`, value: quantile(latenciesMs, 0.999) },
    { name: `${kind}: longest, ms`, value: quantile(latenciesMs, 1) },
    { name: `${kind}: p99 as a multiple of p50`, value: p99Ms / p50Ms, atMost: MULTIPLE_MAX },
    { name: `${kind}: longest time without a response, ms`, value: longestGapMs(requests), atMost: PAUSE_MS },
    { name: `${kind}: requests > ${PAUSE_MS} ms`, value: countAbove(histogram, PAUSE_MS) },
    ...histogramFacts(`${kind}: requests`, histogram),
  ];
}

function latenciesOf(requests: readonly PacedRequest[]): number[] {
  return sortedMs(requests.map(({ dueAtMs, answeredAtMs }) => answeredAtMs - dueAtMs));
}

function sortedMs(timesMs: readonly number[]): number[] {
  return timesMs.toSorted((a, b) => a - b);
}

/** A pause of the server, seen from outside: it answers nothing, though requests come steadily. */
function longestGapMs(requests: readonly PacedRequest[]): number {
  const answeredAtMs = sortedMs(requests.map((request) => request.answeredAtMs));
  return Math.max(...answeredAtMs.map((atMs, place) => atMs - (answeredAtMs[place - 1] ?? atMs)));
}
