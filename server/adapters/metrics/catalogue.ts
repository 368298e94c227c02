import { PAUSE_REASONS } from "@/server/adapters/whatsapp/pause-reasons";
import { ERRORS, FAILURE_CODES } from "@/server/platform/errors";
import { POLICIES } from "@/server/adapters/limits/policies";
import { CALL_SECONDS, LAG_SECONDS, SHORT_SECONDS } from "./buckets";
import type { MetricDescription } from "./description";
import { COUNTED_MAX, QUEUE_METRICS } from "./queue-metrics";
import { WEBHOOK_METRICS } from "./webhook-metrics";

export const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "other"] as const;
const UPSTREAM_OPERATIONS = ["send", "upload_media", "read_number"] as const;
const CALL_OUTCOMES = ["accepted", "rejected", "retry", "uncertain"] as const;
const LOG_LEVELS = ["warn", "error", "fatal"] as const;
/** What `/readyz` names as degraded. */
export const DEGRADABLE_PARTS = ["migrations", "limiter", "uploads", "jobs", "inngest"] as const;
/** What is asked of the database apart: one that can't be asked leaves the others. */
export const INSTALLATION_PARTS = [
  "queue",
  "doubt",
  "channels",
  "callbacks",
  "silence",
  "webhooks",
  "jobs",
] as const;

const keysOf = <K extends string>(table: Readonly<Record<K, unknown>>) => Object.keys(table) as K[];

/** Every metric of Waypost's own, by name. Node's and the process's own are added by the library (`nodejs_`, `process_`). */
export const METRICS = {
  waypost_build_info: {
    kind: "gauge",
    scope: "process",
    help: "Always 1; its labels say what runs",
    labels: { version: null, node: null, role: null },
  },
  waypost_ready: {
    kind: "gauge",
    scope: "process",
    help: "1 while /readyz would say 200",
    labels: {},
  },
  waypost_degraded: {
    kind: "gauge",
    scope: "process",
    help: "1 while /readyz names this part as degraded; absent where the part doesn't concern the process",
    labels: { part: DEGRADABLE_PARTS },
  },
  waypost_http_requests_total: {
    kind: "counter",
    scope: "process",
    help: "Requests, by route template; `aborted` is the status where the client left before an answer",
    labels: { route: null, method: METHODS, status: null },
  },
  waypost_http_request_duration_seconds: {
    kind: "histogram",
    scope: "process",
    help: "From a request's headers to its answer, by route template",
    labels: { route: null },
    buckets: SHORT_SECONDS,
  },
  waypost_public_api_errors_total: {
    kind: "counter",
    scope: "process",
    help: "Answers of the public API with an error, by its code",
    labels: { code: keysOf(ERRORS) },
  },
  waypost_refusals_dropped_total: {
    kind: "counter",
    scope: "process",
    help: "Refusals of known keys that members aren't shown and no count holds, because the database took none for too long",
    labels: {},
  },
  waypost_rate_limit_refusals_total: {
    kind: "counter",
    scope: "process",
    help: "Units of a rate limit that were refused",
    labels: { bucket: keysOf(POLICIES) },
  },
  waypost_limiter_let_through_total: {
    kind: "counter",
    scope: "process",
    help: "Requests that weren't limited because the limiter's store failed, looks of /readyz included",
    labels: {},
  },
  waypost_messages_accepted_total: {
    kind: "counter",
    scope: "process",
    help: "New messages answered with 201",
    labels: {},
  },
  waypost_messages_repeated_total: {
    kind: "counter",
    scope: "process",
    help: "Repeats of an accepted message, answered with 200",
    labels: {},
  },
  waypost_message_states_total: {
    kind: "counter",
    scope: "process",
    help: "Messages that came to a state; sent: the upstream has it",
    labels: { state: ["sent", "delivered", "read", "failed"] },
  },
  waypost_messages_failed_total: {
    kind: "counter",
    scope: "process",
    help: "Messages that failed, by the code of their error",
    labels: { code: FAILURE_CODES },
  },
  waypost_upstream_calls_total: {
    kind: "counter",
    scope: "process",
    help: "Calls of WhatsApp's Cloud API; retry: certainly not sent; uncertain: the answer was lost",
    labels: { operation: UPSTREAM_OPERATIONS, outcome: CALL_OUTCOMES },
  },
  waypost_upstream_call_duration_seconds: {
    kind: "histogram",
    scope: "process",
    help: "From connecting to the last byte of the upstream's answer",
    labels: { operation: UPSTREAM_OPERATIONS },
    buckets: CALL_SECONDS,
  },
  waypost_send_slots: {
    kind: "gauge",
    scope: "process",
    help: "Calls upstream that may run at once (WAYPOST_SEND_SLOTS)",
    labels: {},
  },
  waypost_send_slots_in_use: {
    kind: "gauge",
    scope: "process",
    help: "Of them, those that are held by a call",
    labels: {},
  },
  ...WEBHOOK_METRICS,
  waypost_callbacks_received_total: {
    kind: "counter",
    scope: "process",
    help: "Callbacks by what came of them; unsigned: a wrong signature or none; unreadable: too large, or broken off; limited: more than the channel may bring in a minute; failed: not stored, our fault",
    labels: { result: ["stored", "unsigned", "unknown_channel", "unreadable", "limited", "failed"] },
  },
  waypost_callback_lag_seconds: {
    kind: "histogram",
    scope: "process",
    help: "From a callback's arrival until it was processed",
    labels: {},
    buckets: LAG_SECONDS,
  },
  waypost_callbacks_not_understood_total: {
    kind: "counter",
    scope: "process",
    help: "Processed callbacks of which something wasn't understood, or nothing could be done about",
    labels: {},
  },
  waypost_database_probe_seconds: {
    kind: "histogram",
    scope: "process",
    help: "Time for a connection of the pool and the shortest statement, once for every second, those of a standstill included: what a request waits",
    labels: { pool: ["requests", "other"] },
    buckets: SHORT_SECONDS,
  },
  waypost_database_probe_failures_total: {
    kind: "counter",
    scope: "process",
    help: "Of these tries, those that failed or took longer than 5 s",
    labels: { pool: ["requests", "other"] },
  },
  waypost_embedded_postgres_restarts_total: {
    kind: "counter",
    scope: "process",
    help: "Unexpected ends of the embedded PostgreSQL, each of which was answered with a restart",
    labels: {},
  },
  waypost_data_directory_free_bytes: {
    kind: "gauge",
    scope: "process",
    help: "What is free on the disk of the data directory",
    labels: {},
  },
  waypost_log_lines_total: {
    kind: "counter",
    scope: "process",
    help: "Lines of the log that somebody should read, by level",
    labels: { level: LOG_LEVELS },
  },
  waypost_installation_up: {
    kind: "gauge",
    scope: "process",
    help: "1 where this part of what the database knows could be asked; 0: its metrics are left out",
    labels: { part: INSTALLATION_PARTS },
  },
  ...QUEUE_METRICS,
  waypost_messages_in_doubt: {
    kind: "gauge",
    scope: "installation",
    help: "Messages whose call's answer was lost, waiting for confirmation",
    labels: {},
  },
  waypost_messages_in_doubt_oldest_seconds: {
    kind: "gauge",
    scope: "installation",
    help: "How long the oldest of them waits; 0 when none does",
    labels: {},
  },
  waypost_channels: {
    kind: "gauge",
    scope: "installation",
    help: "Channels that aren't disabled",
    labels: {},
  },
  waypost_channels_paused: {
    kind: "gauge",
    scope: "installation",
    help: "Of them, those that send nothing, by why",
    labels: { reason: [...keysOf(PAUSE_REASONS), "other"] },
  },
  waypost_callbacks_waiting_oldest_seconds: {
    kind: "gauge",
    scope: "installation",
    help: "How long the oldest callback that isn't processed waits; 0 when none does",
    labels: {},
  },
  waypost_callback_age_seconds: {
    kind: "gauge",
    scope: "installation",
    help: "Since the last callback came, on any channel; absent before the first",
    labels: {},
  },
  waypost_callback_intake_age_seconds: {
    kind: "gauge",
    scope: "installation",
    help: "Since some process could take callbacks in, by the minute; absent before the first",
    labels: {},
  },
  waypost_statuses_unmatched: {
    kind: "gauge",
    scope: "installation",
    help: `Statuses kept because their message isn't known; counted up to ${COUNTED_MAX}`,
    labels: {},
  },
  waypost_messages_awaiting_status: {
    kind: "gauge",
    scope: "installation",
    help: "Of the newest 100 messages of each channel that the upstream accepted 10 minutes to a day ago, those that it never spoke of again",
    labels: {},
  },
  waypost_messages_expecting_status: {
    kind: "gauge",
    scope: "installation",
    help: "All of those newest messages",
    labels: {},
  },
  waypost_channels_silent: {
    kind: "gauge",
    scope: "installation",
    help: "Channels with such messages, of none of which the upstream has spoken again: callbacks evidently don't reach us",
    labels: {},
  },
  waypost_jobs_running: {
    kind: "gauge",
    scope: "installation",
    help: "1 while some process runs jobs",
    labels: {},
  },
  waypost_sweep_age_seconds: {
    kind: "gauge",
    scope: "installation",
    help: "Since a sweep last took all of its steps; absent before the first",
    labels: {},
  },
} as const satisfies Readonly<Record<`waypost_${string}`, MetricDescription>>;

export type MetricName = keyof typeof METRICS;

/** Metrics of one kind. */
export type NameOf<K extends MetricDescription["kind"]> = {
  [N in MetricName]: (typeof METRICS)[N]["kind"] extends K ? N : never;
}[MetricName];

/** The labels of a metric, each with the values that it may have. */
export type LabelsOf<N extends MetricName> = {
  readonly [
    L in keyof (typeof METRICS)[N]["labels"]
  ]: (typeof METRICS)[N]["labels"][L] extends readonly (infer V extends string)[] ? V : string;
};
