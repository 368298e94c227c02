import { constants, PerformanceObserver } from "node:perf_hooks";
import type { Repeated } from "@/server/core/queue/repeat";
import type { LabelsOf } from "@/server/adapters/metrics/catalogue";
import type { Metrics } from "@/server/adapters/metrics/metrics";

const TICK_MS = 50;

const GC_KINDS = new Map<unknown, LabelsOf<"waypost_gc_pause_seconds">["kind"]>([
  [constants.NODE_PERFORMANCE_GC_MAJOR, "major"],
  [constants.NODE_PERFORMANCE_GC_MINOR, "minor"],
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL, "incremental"],
  [constants.NODE_PERFORMANCE_GC_WEAKCB, "weakcb"],
]);

/**
 * Measures each delay of the event loop, and each pause of garbage collection. The library's own metrics lack both: its
 * delays are percentiles since the last scrape, and of pauses in quick succession it counts the first only.
 */
export function watchPauses(metrics: Metrics): Repeated {
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const kind = GC_KINDS.get(kindOf(entry));
      if (kind !== undefined) metrics.observe("waypost_gc_pause_seconds", { kind }, entry.duration / 1000);
    }
  });
  observer.observe({ entryTypes: ["gc"] });
  const timer = watchEventLoop(metrics);
  return {
    async stop() {
      observer.disconnect();
      clearInterval(timer);
    },
  };
}

function watchEventLoop(metrics: Metrics): NodeJS.Timeout {
  let dueAtMs = performance.now() + TICK_MS;
  return setInterval(() => {
    const nowMs = performance.now();
    metrics.observe("waypost_event_loop_delay_seconds", {}, Math.max(0, nowMs - dueAtMs) / 1000);
    dueAtMs = nowMs + TICK_MS;
  }, TICK_MS);
}

/** Node's types don't describe what the entry of a collection holds. */
function kindOf(entry: object): unknown {
  const detail: unknown = "detail" in entry ? entry.detail : null;
  return typeof detail === "object" && detail !== null && "kind" in detail ? detail.kind : undefined;
}
