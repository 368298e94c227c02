import { PAUSE_REASONS } from "@/server/adapters/whatsapp/pause-reasons";
import { FAILURE_CODES, PUBLIC_CODES } from "@/server/platform/errors";
import { READ_MARK_FAILURES } from "@/db/schema";
import { POLICIES } from "@/server/adapters/limits/policies";
import { type MetricDescription, CALL_SECONDS, LAG_SECONDS, SHORT_SECONDS } from "./description";
import { JOB_METRICS } from "./job-metrics";
import { PAUSE_METRICS } from "./pause-metrics";
import { COUNTED_MAX, QUEUE_METRICS } from "./queue-metrics";
import { WEBHOOK_METRICS } from "./webhook-metrics";

export const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "other"] as const;
const UPSTREAM_OPERATIONS = ["send", "mark_read", "upload_media", "fetch_media", "read_number"] as const;
const CALL_OUTCOMES = ["accepted", "rejected", "retry", "uncertain"] as const;
const LOG_LEVELS = ["warn", "error", "fatal"] as const;
/** The parts that `/readyz` reports as degraded. */
export const DEGRADABLE_PARTS = ["migrations", "limiter", "uploads", "jobs", "inngest"] as const;
/** Parts that are read from the database separately. If one fails, the others are still read. */
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

/**
 * Every metric of Waypost's own, by name. The library adds those of Node and of the process (`nodejs_`, `process_`).
 */
export const METRICS = {
  waypost_build_info: {
    kind: "gauge",
    scope: "process",
    help: "Always 1; the labels show the running version, Node.js version and role",
    labels: { version: null, node: null, role: null },
  },
  waypost_ready: {
    kind: "gauge",
    scope: "process",
    help: "1 while /readyz would respond with 200",
    labels: {},
  },
  waypost_degraded: {
    kind: "gauge",
    scope: "process",
    help: "1 while /readyz reports this part as degraded; absent if the part doesn't concern the process",
    labels: { part: DEGRADABLE_PARTS },
  },
  waypost_http_requests_total: {
    kind: "counter",
    scope: "process",
    help: "Requests, by route template; the status is `aborted` if the client disconnected before a response",
    labels: { route: null, method: METHODS, status: null },
  },
  waypost_http_request_duration_seconds: {
    kind: "histogram",
    scope: "process",
    help: "Time from the headers of a request to its response, by route template",
    labels: { route: null },
    buckets: SHORT_SECONDS,
  },
  waypost_public_api_errors_total: {
    kind: "counter",
    scope: "process",
    help: "Error responses of the public API, by error code",
    labels: { code: PUBLIC_CODES },
  },
  waypost_unrecorded_requests_total: {
    kind: "counter",
    scope: "process",
    help: "Requests of known keys that are missing from the API log, because the database couldn't store them for too long",
    labels: {},
  },
  waypost_rate_limit_refusals_total: {
    kind: "counter",
    scope: "process",
    help: "Units refused by a rate limit, by bucket",
    labels: { bucket: keysOf(POLICIES) },
  },
  waypost_limiter_let_through_total: {
    kind: "counter",
    scope: "process",
    help: "Requests that weren't limited because the store of the rate limiter failed, including checks by /readyz",
    labels: {},
  },
  waypost_messages_accepted_total: {
    kind: "counter",
    scope: "process",
    help: "New messages accepted with 201",
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
    help: "Messages that reached a state; sent: the upstream has the message",
    labels: { state: ["sent", "delivered", "read", "failed"] },
  },
  waypost_messages_failed_total: {
    kind: "counter",
    scope: "process",
    help: "Messages that failed, by error code",
    labels: { code: FAILURE_CODES },
  },
  waypost_read_marks_total: {
    kind: "counter",
    scope: "process",
    help: "Attempts to mark a customer's message as read at WhatsApp, by their end; retry: tried again later",
    labels: { result: ["done", "retry", ...READ_MARK_FAILURES] },
  },
  waypost_upstream_calls_total: {
    kind: "counter",
    scope: "process",
    help: "Calls to WhatsApp's Cloud API; retry: certainly not sent; uncertain: the response was lost",
    labels: { operation: UPSTREAM_OPERATIONS, outcome: CALL_OUTCOMES },
  },
  waypost_upstream_call_duration_seconds: {
    kind: "histogram",
    scope: "process",
    help: "Time from connecting to the last byte of the upstream's response",
    labels: { operation: UPSTREAM_OPERATIONS },
    buckets: CALL_SECONDS,
  },
  waypost_send_slots: {
    kind: "gauge",
    scope: "process",
    help: "Maximum number of concurrent upstream calls (WAYPOST_SEND_SLOTS)",
    labels: {},
  },
  waypost_send_slots_in_use: {
    kind: "gauge",
    scope: "process",
    help: "Send slots that are in use by a call",
    labels: {},
  },
  ...WEBHOOK_METRICS,
  waypost_callbacks_received_total: {
    kind: "counter",
    scope: "process",
    help: "Callbacks received, by result; unsigned: a wrong signature or none; unreadable: too large, or cut off; limited: over the channel's limit per minute, or too many wait to be processed; failed: not stored, because of an error in Waypost",
    labels: { result: ["stored", "unsigned", "unknown_channel", "unreadable", "limited", "failed"] },
  },
  waypost_callback_lag_seconds: {
    kind: "histogram",
    scope: "process",
    help: "Time from the arrival of a callback until it was processed",
    labels: {},
    buckets: LAG_SECONDS,
  },
  waypost_callbacks_not_understood_total: {
    kind: "counter",
    scope: "process",
    help: "Processed callbacks with a part that Waypost didn't understand or couldn't handle",
    labels: {},
  },
  waypost_database_probe_seconds: {
    kind: "histogram",
    scope: "process",
    help: "Time to get a connection from the pool and run a minimal statement, which is how long a request waits; measured every second, and recorded for the seconds of a standstill too",
    labels: { pool: ["requests", "other"] },
    buckets: SHORT_SECONDS,
  },
  waypost_database_probe_failures_total: {
    kind: "counter",
    scope: "process",
    help: "Database probes that failed or took longer than 5 s",
    labels: { pool: ["requests", "other"] },
  },
  ...PAUSE_METRICS,
  waypost_embedded_postgres_restarts_total: {
    kind: "counter",
    scope: "process",
    help: "Unexpected exits of the embedded PostgreSQL, each followed by a restart",
    labels: {},
  },
  waypost_data_directory_free_bytes: {
    kind: "gauge",
    scope: "process",
    help: "Free space on the disk of the data directory",
    labels: {},
  },
  waypost_log_lines_total: {
    kind: "counter",
    scope: "process",
    help: "Log lines that need attention, by level",
    labels: { level: LOG_LEVELS },
  },
  waypost_installation_up: {
    kind: "gauge",
    scope: "process",
    help: "1 if this part of the installation's metrics could be read from the database; 0: its metrics are left out",
    labels: { part: INSTALLATION_PARTS },
  },
  ...QUEUE_METRICS,
  waypost_messages_in_doubt: {
    kind: "gauge",
    scope: "installation",
    help: "Messages that wait for confirmation because the response to their call was lost",
    labels: {},
  },
  waypost_messages_in_doubt_oldest_seconds: {
    kind: "gauge",
    scope: "installation",
    help: "Waiting time of the oldest message in doubt; 0 if there is none",
    labels: {},
  },
  waypost_channels: {
    kind: "gauge",
    scope: "installation",
    help: "Channels that are not disabled",
    labels: {},
  },
  waypost_channels_paused: {
    kind: "gauge",
    scope: "installation",
    help: "Paused channels, which send nothing, by reason",
    labels: { reason: [...keysOf(PAUSE_REASONS), "other"] },
  },
  waypost_callbacks_waiting_oldest_seconds: {
    kind: "gauge",
    scope: "installation",
    help: "Waiting time of the oldest unprocessed callback; 0 if there is none",
    labels: {},
  },
  waypost_callback_age_seconds: {
    kind: "gauge",
    scope: "installation",
    help: "Time since the last callback on any channel; absent before the first callback",
    labels: {},
  },
  waypost_callback_intake_age_seconds: {
    kind: "gauge",
    scope: "installation",
    help: "Time since any process was last able to receive callbacks, to the minute; absent before the first time",
    labels: {},
  },
  waypost_statuses_unmatched: {
    kind: "gauge",
    scope: "installation",
    help: `Statuses that are kept because their message isn't known; counted up to ${COUNTED_MAX}`,
    labels: {},
  },
  waypost_messages_awaiting_status: {
    kind: "gauge",
    scope: "installation",
    help: "Messages without any status, among the newest 100 messages of each channel that the upstream accepted between 10 minutes and a day ago",
    labels: {},
  },
  waypost_messages_expecting_status: {
    kind: "gauge",
    scope: "installation",
    help: "All messages that waypost_messages_awaiting_status considers, with and without a status",
    labels: {},
  },
  waypost_channels_silent: {
    kind: "gauge",
    scope: "installation",
    help: "Channels with messages in waypost_messages_expecting_status but no status for any of them: their callbacks evidently don't reach Waypost",
    labels: {},
  },
  ...JOB_METRICS,
} as const satisfies Readonly<Record<`waypost_${string}`, MetricDescription>>;

export type MetricName = keyof typeof METRICS;

/** Metrics of one kind. */
export type NameOf<K extends MetricDescription["kind"]> = {
  [N in MetricName]: (typeof METRICS)[N]["kind"] extends K ? N : never;
}[MetricName];

/** The labels of a metric, each with its possible values. */
export type LabelsOf<N extends MetricName> = {
  readonly [
    L in keyof (typeof METRICS)[N]["labels"]
  ]: (typeof METRICS)[N]["labels"][L] extends readonly (infer V extends string)[] ? V : string;
};
