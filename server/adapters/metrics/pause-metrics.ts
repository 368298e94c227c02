import { type MetricDescription, SHORT_SECONDS } from "./description";

/** The metrics of what makes a whole process wait, for the catalogue. */
export const PAUSE_METRICS = {
  waypost_event_loop_delay_seconds: {
    kind: "histogram",
    scope: "process",
    help: "How late a timer ran that is due every 50 ms; everything in the process waits as long. From the first scrape on",
    labels: {},
    buckets: SHORT_SECONDS,
  },
  waypost_gc_pause_seconds: {
    kind: "histogram",
    scope: "process",
    help: "Pauses of garbage collection. Unlike nodejs_gc_duration_seconds, includes those that follow another at once. From the first scrape on",
    labels: { kind: ["major", "minor", "incremental", "weakcb"] },
    buckets: SHORT_SECONDS,
  },
} as const satisfies Readonly<Record<`waypost_${string}`, MetricDescription>>;
