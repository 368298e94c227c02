import type { Logger } from "pino";
import { createLogger } from "@/server/platform/log";
import { createMetrics, type Metrics } from "@/server/adapters/metrics/metrics";
import { METRICS } from "@/server/adapters/metrics/catalogue";
import { createDatabaseOutages, type DatabaseOutages } from "./database-outage";

/** Log, metrics and database outages of this process. */
export interface Observability {
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Database outages. Each is logged once, however many failures it causes. */
  readonly outages: DatabaseOutages;
}

export function createObservability({ level }: { level: string }): Observability {
  const outages = createDatabaseOutages();
  const metrics = createMetrics();
  const counts = (lineLevel: string) => countLogLine(metrics, lineLevel);
  return { log: createLogger({ level, absorbs: outages.absorbs, counts }), metrics, outages };
}

/** Counts log lines that need attention. */
function countLogLine(metrics: Metrics, asked: string): void {
  const level = METRICS.waypost_log_lines_total.labels.level.find((one) => one === asked);
  if (level !== undefined) metrics.count("waypost_log_lines_total", { level });
}

/**
 * Logs uncaught errors and ends the process, as Node does by default. Node would print the error with all of its
 * properties, including statements and their values. Accepted messages are safe, as after any crash.
 */
export function endOnUncaught(log: Logger): void {
  process.on("uncaughtException", (error) => {
    log.fatal({ err: error }, "uncaught error: the process exits");
    log.flush(() => process.exit(1));
  });
}
