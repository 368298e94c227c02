import { createDataDirectory, removeDataDirectory } from "@/e2e/support/data-directory";
import { startSimulatorProcess } from "@/e2e/support/simulator-process";
import { until } from "@/e2e/support/until";
import type { Bench, Case } from "./case";
import { watchCpu } from "./cpu";
import type { LoadResult } from "./load";
import type { Arrival } from "./receiver";
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
    const receiver = await bench.startWorker("receiver");
    const dataDir = await createDataDirectory();
    bench.atEnd(() => removeDataDirectory(dataDir));
    const simulator = await startSimulatorProcess(dataDir);
    bench.atEnd(simulator.close);
    const waypost = await startBenchWaypost(receiver, { env: { WAYPOST_SIMULATOR_URL: simulator.url } });
    bench.atEnd(waypost.stop);
    bench.measuredPids.add(waypost.server.pid);
    await makeEndpoint(waypost, STATE_EVENTS);
    return { measure: () => measureLives(bench, waypost), settle: waypost.settle };
  },
} as const satisfies Case;

async function measureLives(bench: Bench, waypost: BenchWaypost): Promise<LoadResult> {
  await liveFor(bench, waypost, SECONDS / 4);
  const cpuUsed = watchCpu(new Set([waypost.server.pid]));
  const { accepted, repeated, seconds } = await liveFor(bench, waypost, SECONDS);
  const { split } = cpuUsed();
  const lives = accepted.requests;
  const cpuMs = ((split?.node ?? NaN) + (split?.postgres ?? NaN)) / lives;
  return {
    requests: lives,
    requestsPerSecond: lives / seconds,
    p50Ms: null,
    p99Ms: null,
    wrong: accepted.wrong,
    facts: [
      { name: "CPU of Waypost and PostgreSQL for one life, ms", value: cpuMs, atMost: CPU_MS_MAX },
      { name: "of it Waypost, ms", value: (split?.node ?? NaN) / lives },
      { name: "accepted per second", value: accepted.requestsPerSecond },
      { name: "delivered more than once", value: repeated },
    ],
  };
}

/** Sends for that long. @returns when every event has arrived. */
async function liveFor(bench: Bench, waypost: BenchWaypost, sendSeconds: number) {
  await waypost.receiver.run({});
  const startedAtMs = performance.timeOrigin + performance.now();
  const accepted = await bench.load.run({ ...newMessagesLoad(waypost, CONNECTIONS), seconds: sendSeconds });
  const arrivals: Arrival[] = [];
  const ids = new Set<string>();
  const areAll = async () => {
    const { arrivals: more } = await waypost.receiver.run({});
    arrivals.push(...more);
    for (const { id } of more) ids.add(id);
    return ids.size >= STATE_EVENTS.length * accepted.requests;
  };
  await until("every event has arrived", areAll, { timeoutMs: ARRIVE_MS_MAX, intervalMs: 250 });
  const seconds = ((arrivals.at(-1)?.arrivedAtMs ?? NaN) - startedAtMs) / 1000;
  return { accepted, repeated: arrivals.length - ids.size, seconds };
}
