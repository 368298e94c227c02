import { setTimeout as pause } from "node:timers/promises";
import { createDataDirectory, removeDataDirectory } from "@/e2e/support/data-directory";
import { startWaypost } from "@/e2e/support/waypost";
import type { Case } from "./case";
import type { Fact, LoadResult } from "./load";
import { watchMemory } from "./memory";
import { median, quantile } from "./statistics";

/** Successive starts with the same data directory. */
const STARTS = 5;
const READY_SECONDS_MAX = 3;
/** After it is ready: memory of the start is freed, and jobs have run. */
const IDLE_MS = 5_000;

/** How soon Waypost is ready after `npm start` with a build, and its memory use while idle. */
export const IDLE = {
  title: "Start until ready, and idle",
  isPaced: true,
  isOnce: true,
  async open(bench) {
    const dataDir = await createDataDirectory();
    bench.atEnd(() => removeDataDirectory(dataDir));
    return {
      // The first start creates the database; it isn't measured.
      prepare: async () => void (await startOnce(dataDir)),
      async measure() {
        const starts: Start[] = [];
        for (let start = 1; start < STARTS; start += 1) starts.push(await startOnce(dataDir));
        starts.push(await startOnce(dataDir, IDLE_MS));
        return resultOf(starts);
      },
      settle: async () => undefined,
    };
  },
} as const satisfies Case;

interface Start {
  readonly readyMs: number;
  /** Completion time of each part of the start, in milliseconds since the process started, by its log message. */
  readonly phases: ReadonlyMap<string, number>;
  /** Null if the machine doesn't provide it. */
  readonly memoryBytes: number | null;
}

async function startOnce(dataDir: string, idleMs = 0): Promise<Start> {
  const startedAtMs = performance.now();
  const server = await startWaypost({ dataDir, env: { LOG_LEVEL: "debug" } });
  const readyMs = performance.now() - startedAtMs;
  await pause(idleMs);
  const memoryBytes = watchMemory(new Set([server.pid]))()?.nodePeakBytes ?? null;
  await server.stop();
  return { readyMs, memoryBytes, phases: phasesIn(server.program.stderr()) };
}

function phasesIn(log: string): ReadonlyMap<string, number> {
  const lines = log.split("\n").filter((line) => line.startsWith("{"));
  return new Map(
    lines.flatMap((line) => {
      const { msg, sinceStartMs }: { msg?: unknown; sinceStartMs?: unknown } = JSON.parse(line);
      return typeof msg === "string" && typeof sinceStartMs === "number" ? [[msg, sinceStartMs]] : [];
    }),
  );
}

function resultOf(starts: readonly Start[]): LoadResult {
  const readyMs = starts.map((start) => start.readyMs).sort((a, b) => a - b);
  const phases = [...(starts[0]?.phases.keys() ?? [])].map((phase): Fact => {
    return {
      name: `${phase}, s`,
      value: median(starts.map((start) => start.phases.get(phase) ?? NaN)) / 1000,
    };
  });
  const memoryBytes = starts.at(-1)?.memoryBytes ?? null;
  return {
    requests: starts.length,
    requestsPerSecond: 0,
    p50Ms: quantile(readyMs, 0.5),
    p99Ms: quantile(readyMs, 0.99),
    wrong: {},
    facts: [
      { name: "ready after `npm start`, s", value: median(readyMs) / 1000, atMost: READY_SECONDS_MAX },
      ...phases,
      ...(memoryBytes === null
        ? []
        : [{ name: "node process when idle, MB", value: memoryBytes / 1024 ** 2 }]),
    ],
  };
}
