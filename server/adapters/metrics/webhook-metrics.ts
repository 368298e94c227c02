import { WEBHOOK_DISABLED_REASONS, WEBHOOK_ERROR_CLASSES, type WebhookDisabledReason } from "@/db/schema";
import { type MetricDescription, CALL_SECONDS } from "./description";

/** The label value in `waypost_webhook_endpoints`. */
const disabledBy = <R extends WebhookDisabledReason>(reason: R) => `disabled_${reason}` as const;

/** The metrics of webhooks, for the catalogue. */
export const WEBHOOK_METRICS = {
  waypost_webhook_attempts_total: {
    kind: "counter",
    scope: "process",
    help: "Calls to webhook endpoints, by result",
    labels: { result: ["delivered", ...WEBHOOK_ERROR_CLASSES] },
  },
  waypost_webhook_attempt_duration_seconds: {
    kind: "histogram",
    scope: "process",
    help: "Time from connecting to the headers of a webhook endpoint's response",
    labels: {},
    buckets: CALL_SECONDS,
  },
  waypost_webhook_slots: {
    kind: "gauge",
    scope: "process",
    help: "Maximum number of concurrent calls to webhook endpoints (WAYPOST_WEBHOOK_SLOTS)",
    labels: {},
  },
  waypost_webhook_slots_in_use: {
    kind: "gauge",
    scope: "process",
    help: "Webhook slots that are in use by a call",
    labels: {},
  },
  waypost_webhooks_oldest_due_seconds: {
    kind: "gauge",
    scope: "installation",
    help: "Longest waiting time of a webhook that waits only for a process to send it; 0 if there is none",
    labels: {},
  },
  waypost_webhook_endpoints: {
    kind: "gauge",
    scope: "installation",
    help: "Webhook endpoints, without deleted ones; failing: every call since the last successful one failed",
    labels: { state: ["working", "failing", ...WEBHOOK_DISABLED_REASONS.map(disabledBy)] },
  },
} as const satisfies Readonly<Record<`waypost_webhook${string}`, MetricDescription>>;
