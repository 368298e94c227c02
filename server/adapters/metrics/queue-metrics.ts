import type { MetricDescription } from "./description";

/** The counts of the installation end here: a scrape must not look through millions. */
export const COUNTED_MAX = 10_000;

/** Those of the queue of messages, of the one catalogue. */
export const QUEUE_METRICS = {
  waypost_queue_oldest_due_seconds: {
    kind: "gauge",
    scope: "installation",
    help: "How long the message that waits the longest for nothing but a process to take it waits; 0 when none waits",
    labels: {},
  },
  waypost_queue_oldest_behind_seconds: {
    kind: "gauge",
    scope: "installation",
    help: "How long the message that waits the longest for an earlier one of its conversation waits, which is due itself or being sent; 0 when none waits",
    labels: {},
  },
  waypost_queue_channels: {
    kind: "gauge",
    scope: "installation",
    help: "Channels with a message that waits for nothing but a process to take it",
    labels: {},
  },
  waypost_queue_messages: {
    kind: "gauge",
    scope: "installation",
    help: `Messages in the state queued, for whatever reason; counted up to ${COUNTED_MAX}`,
    labels: {},
  },
} as const satisfies Readonly<Record<`waypost_queue_${string}`, MetricDescription>>;
