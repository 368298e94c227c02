import type { Logger } from "pino";
import { createLogger } from "@/server/platform/log";
import { countLogLine } from "@/server/adapters/metrics/count-log-line";
import { createMetrics, type Metrics } from "@/server/adapters/metrics/metrics";
import { createOutages, type Outages } from "./outage";

/** What this process tells of itself. */
export interface Telling {
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Of the database: told once each, whatever fails meanwhile. */
  readonly outages: Outages;
}

export function createTelling({ level }: { level: string }): Telling {
  const outages = createOutages();
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
