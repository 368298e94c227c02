import type { Services } from "../context";
import type { Repeated } from "../process/watch";

const PROBE_EVERY_MS = 1_000;
const TOO_SLOW_MS = 5_000;

/**
 * Measures every second how long a statement waits for a connection of each pool and for its answer. postgres.js doesn't
 * tell how many wait; what they wait, everybody who comes waits.
 */
export function probeDatabase(
  services: Pick<Services, "sql" | "orm" | "metrics">,
  everyMs: number = PROBE_EVERY_MS,
): Repeated {
  const { sql, orm, metrics } = services;
  const pools = {
    requests: () => sql`select 1`,
    other: () => orm.execute("select 1"),
  } as const;
  let isStopped = false;
  const timers = new Set<NodeJS.Timeout>();

  async function probe(pool: keyof typeof pools): Promise<void> {
    const startedAt = performance.now();
    let isCounted = false;
    const failed = () => {
      if (!isCounted && !isStopped) metrics.count("waypost_database_probe_failures_total", { pool });
      isCounted = true;
    };
    const late = setTimeout(failed, TOO_SLOW_MS);
    timers.add(late);
    try {
      await pools[pool]();
      if (!isCounted) {
        metrics.observe("waypost_database_probe_seconds", { pool }, (performance.now() - startedAt) / 1000);
      }
    } catch {
      failed();
    } finally {
      clearTimeout(late);
      timers.delete(late);
    }
    if (isStopped) return;
    // One at a time: while it hangs, no second one waits behind it.
    const next = setTimeout(() => {
      timers.delete(next);
      void probe(pool);
    }, everyMs);
    timers.add(next);
  }

  void probe("requests");
  void probe("other");
  return {
    async stop() {
      isStopped = true;
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
