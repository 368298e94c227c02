import type { MetricDescription } from "./description";

/** Counts of the installation stop at this number, because a scrape must not read millions of rows. */
export const COUNTED_MAX = 10_000;

/** The metrics of the message queue, for the catalogue. */
export const QUEUE_METRICS = {
  waypost_queue_oldest_due_seconds: {
    kind: "gauge",
    scope: "installation",
    help: "Longest waiting time of a message that waits only for a process to send it; 0 if there is none",
    labels: {},
  },
  waypost_queue_oldest_behind_seconds: {
    kind: "gauge",
    scope: "installation",
    help: "Longest waiting time of a message that waits for an earlier message of its conversation, if the earlier one is due or being sent; 0 if there is none",
    labels: {},
  },
  waypost_queue_channels: {
    kind: "gauge",
    scope: "installation",
    help: "Channels with a message that waits only for a process to send it",
    labels: {},
  },
  waypost_queue_messages: {
    kind: "gauge",
    scope: "installation",
    help: `Messages in the state queued, for any reason; counted up to ${COUNTED_MAX}`,
    labels: {},
  },
} as const satisfies Readonly<Record<`waypost_queue_${string}`, MetricDescription>>;
