import type { Logger } from "pino";
import { createLogger } from "@/server/platform/log";
import { countLogLine } from "@/server/adapters/metrics/count-log-line";
import { createMetrics, type Metrics } from "@/server/adapters/metrics/metrics";
import { createDatabaseOutages, type DatabaseOutages } from "./database-outage";

/** Log, metrics and database outages of this process. */
export interface Observability {
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Of the database: told once each, whatever fails meanwhile. */
  readonly outages: DatabaseOutages;
}

export function createObservability({ level }: { level: string }): Observability {
  const outages = createDatabaseOutages();
  const metrics = createMetrics();
  const counts = (lineLevel: string) => countLogLine(metrics, lineLevel);
  return { log: createLogger({ level, absorbs: outages.absorbs, counts }), metrics, outages };
}

/**
 * An error that nobody caught ends the process, as Node has it, but is told by the log: Node would print it with all that
 * it carries, statements and their values included. What was accepted is safe, as after any crash.
 */
export function endOnUncaught(log: Logger): void {
  process.on("uncaughtException", (error) => {
    log.fatal({ err: error }, "an error that nobody caught ends the process");
    log.flush(() => process.exit(1));
  });
}
