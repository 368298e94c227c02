import { createDataDirectory, removeDataDirectory } from "@/e2e/support/data-directory";
import { startSimulatorProcess } from "@/e2e/support/simulator-process";
import { until } from "@/e2e/support/until";
import { attachWaypost } from "@/e2e/support/waypost";
import type { Bench, Case } from "./case";
import { watchCpu, worstOf } from "./cpu";
import { type LoadResult, wrongOf } from "./load";
import type { Arrival } from "./receiver";
import type { RunningWorker } from "./start-worker";
import { type BenchWaypost, newMessagesLoad, startBenchWaypost } from "./waypost";
import { makeEndpoint, STATE_EVENTS } from "./webhook-cases";

const CONNECTIONS = 32;
const SECONDS = 20;
const ARRIVE_MS_MAX = 5 * 60_000;
const CPU_MS_MAX = 1.2;

/** Whole lives of messages as fast as they go. The simulator and the receiver run in separate processes. */
export const LIFE = {
  title: "Accepted → third event delivered, at full speed",
  isOnce: true,
  isExtra: true,
  goal: { of: "requestsPerSecond", atLeast: 1_000 },
  async open(bench) {
    const waypost = await startForLives(bench);
    return { measure: () => measureLives(bench, waypost, [bench.load]), settle: waypost.settle };
  },
} as const satisfies Case;

/** The numbers of processes, ascending. */
const PROCESS_COUNTS = [1, 2, 4] as const;

/** The same with more and more processes on one database, each with a load of its own. */
export const LIFE_OF_SEVERAL = {
  title: `The same with ${PROCESS_COUNTS.join(", ")} processes on one database`,
  isOnce: true,
  isExtra: true,
  async open(bench) {
    const waypost = await startForLives(bench);
    return { measure: () => measureSeveral(bench, waypost), settle: waypost.settle };
  },
} as const satisfies Case;

async function startForLives(bench: Bench): Promise<BenchWaypost> {
  const receiver = await bench.startWorker("receiver");
  const dataDir = await createDataDirectory();
  bench.atEnd(() => removeDataDirectory(dataDir));
  const simulator = await startSimulatorProcess(dataDir);
  bench.atEnd(simulator.close);
  const waypost = await startBenchWaypost(receiver, { env: { WAYPOST_SIMULATOR_URL: simulator.url } });
  bench.atEnd(waypost.stop);
  bench.measuredPids.add(waypost.server.pid);
  await makeEndpoint(waypost, STATE_EVENTS);
  return waypost;
}

async function measureSeveral(bench: Bench, waypost: BenchWaypost): Promise<LoadResult> {
  const { host } = new URL((await waypost.receiver.run({})).url);
  const loads = [bench.load];
  const urls = [waypost.url];
  const measured: { readonly count: number; readonly result: LoadResult }[] = [];
  for (const count of PROCESS_COUNTS) {
    while (urls.length < count) {
      const server = await attachWaypost(waypost.server, {
        LOG_LEVEL: "warn",
        ALLOWED_PRIVATE_HOSTS: host,
        WAYPOST_SIMULATOR_URL: waypost.server.simulatorUrl,
      });
      bench.atEnd(async () => void (await server.stop()));
      bench.measuredPids.add(server.pid);
      urls.push(`${server.baseUrl}/api/public/v1`);
      loads.push(await bench.startWorker("load"));
    }
    measured.push({ count, result: await measureLives(bench, waypost, loads, urls) });
  }
  const results = measured.map(({ result }) => result);
  const cpu = worstOf(results.flatMap((result) => result.cpu ?? []));
  return {
    ...(results.at(-1) ?? NO_LIVES),
    ...(cpu && { cpu }),
    wrong: wrongOf(results),
    facts: measured.flatMap(({ count, result }) =>
      [{ name: "lives per second", value: result.requestsPerSecond }, ...(result.facts ?? [])].map(
        (fact) => ({
          ...fact,
          name: `${count} ${count === 1 ? "process" : "processes"}: ${fact.name}`,
        }),
      ),
    ),
  };
}

const NO_LIVES: LoadResult = { requests: 0, requestsPerSecond: 0, p50Ms: null, p99Ms: null, wrong: {} };

type Loads = readonly RunningWorker<"load">[];

/** @param urls the processes, one for each load. */
async function measureLives(
  bench: Bench,
  waypost: BenchWaypost,
  loads: Loads,
  urls: readonly string[] = [waypost.url],
): Promise<LoadResult> {
  await liveFor(waypost, loads, urls, SECONDS / 4);
  const cpuUsed = watchCpu(bench.measuredPids);
  const { accepted, repeated, seconds } = await liveFor(waypost, loads, urls, SECONDS);
  const cpu = cpuUsed();
  const { split, busyPart } = cpu;
  const lives = accepted.requests;
  const cpuMs = ((split?.node ?? NaN) + (split?.postgres ?? NaN)) / lives;
  return {
    requests: lives,
    requestsPerSecond: lives / seconds,
    p50Ms: null,
    p99Ms: null,
    wrong: accepted.wrong,
    cpu,
    facts: [
      { name: "CPU of Waypost and PostgreSQL for one life, ms", value: cpuMs, atMost: CPU_MS_MAX },
      { name: "of it Waypost, ms", value: (split?.node ?? NaN) / lives },
      { name: "CPU busy, %", value: busyPart * 100 },
      { name: "accepted per second", value: accepted.requestsPerSecond },
      { name: "delivered more than once", value: repeated },
    ],
  };
}

/** Sends for that long. @returns when every event has arrived. */
async function liveFor(waypost: BenchWaypost, loads: Loads, urls: readonly string[], sendSeconds: number) {
  await waypost.receiver.run({});
  const startedAtMs = performance.timeOrigin + performance.now();
  const all = await Promise.all(
    loads.map((load, place) => {
      const job = newMessagesLoad(waypost, Math.ceil(CONNECTIONS / loads.length), urls[place]);
      return load.run({ ...job, seconds: sendSeconds });
    }),
  );
  const requests = all.reduce((sum, result) => sum + result.requests, 0);
  const requestsPerSecond = all.reduce((sum, result) => sum + result.requestsPerSecond, 0);
  const arrivals: Arrival[] = [];
  const ids = new Set<string>();
  const areAll = async () => {
    const { arrivals: more } = await waypost.receiver.run({});
    arrivals.push(...more);
    for (const { id } of more) ids.add(id);
    return ids.size >= STATE_EVENTS.length * requests;
  };
  await until("every event has arrived", areAll, { timeoutMs: ARRIVE_MS_MAX, intervalMs: 250 });
  const seconds = ((arrivals.at(-1)?.arrivedAtMs ?? NaN) - startedAtMs) / 1000;
  const accepted = { requests, requestsPerSecond, wrong: wrongOf(all) };
  return { accepted, repeated: arrivals.length - ids.size, seconds };
}
