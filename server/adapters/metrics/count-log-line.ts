import { METRICS } from "./catalogue";
import type { Metrics } from "./metrics";

/** Counts log lines that need attention. */
export function countLogLine(metrics: Metrics, asked: string): void {
  const level = METRICS.waypost_log_lines_total.labels.level.find((one) => one === asked);
  if (level !== undefined) metrics.count("waypost_log_lines_total", { level });
}
