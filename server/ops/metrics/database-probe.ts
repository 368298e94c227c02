import type { Services } from "@/server/core/context";
import type { Repeated } from "@/server/core/queue/repeat";
import type { Metrics } from "@/server/adapters/metrics/metrics";

const PROBE_EVERY_MS = 1_000;
const TOO_SLOW_MS = 5_000;

interface ProbeTimes {
  readonly everyMs?: number;
  readonly tooSlowMs?: number;
}

/**
 * Measures every second how long a statement waits for a connection of each pool and for its result. postgres.js
 * doesn't report the number of waiting queries, but every new query waits as long as this statement.
 */
export function probeDatabase(
  { sql, orm, metrics }: Pick<Services, "sql" | "orm" | "metrics">,
  times: ProbeTimes = {},
): Repeated {
  const probes = [
    probePool("requests", () => sql`select 1`, metrics, times),
    probePool("other", () => orm.execute("select 1"), metrics, times),
  ];
  return {
    async stop() {
      for (const probe of probes) probe.stop();
    },
  };
}

/**
 * Only one statement runs at a time. Attempts that would have started while it hangs are counted with their own wait.
 * Otherwise a standstill of any length would be one slow attempt among hundreds.
 */
function probePool(
  pool: "requests" | "other",
  ask: () => PromiseLike<unknown>,
  metrics: Metrics,
  { everyMs = PROBE_EVERY_MS, tooSlowMs = TOO_SLOW_MS }: ProbeTimes,
): { stop(): void } {
  /** Start times of the waiting attempts, earliest first. */
  let begunMs: number[] = [];
  let isUnderWay = false;
  let isStopped = false;

  const observe = (waitedMs: number) =>
    metrics.observe("waypost_database_probe_seconds", { pool }, waitedMs / 1000);
  const countFailure = () => metrics.count("waypost_database_probe_failures_total", { pool });

  function settle(report: (waitedMs: number) => void): void {
    const nowMs = performance.now();
    if (!isStopped) for (const beganMs of begunMs) report(nowMs - beganMs);
    begunMs = [];
    isUnderWay = false;
  }

  function tick(): void {
    const nowMs = performance.now();
    begunMs.push(nowMs);
    while (nowMs - (begunMs[0] ?? nowMs) > tooSlowMs) {
      observe(nowMs - (begunMs.shift() ?? nowMs));
      countFailure();
    }
    if (isUnderWay) return;
    isUnderWay = true;
    ask().then(
      () => settle(observe),
      () => settle(countFailure),
    );
  }

  tick();
  const timer = setInterval(tick, everyMs);
  return {
    stop() {
      isStopped = true;
      clearInterval(timer);
    },
  };
}
