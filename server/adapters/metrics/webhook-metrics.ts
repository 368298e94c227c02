import { WEBHOOK_DISABLED_REASONS, WEBHOOK_ERROR_CLASSES, type WebhookDisabledReason } from "@/db/schema";
import { CALL_SECONDS } from "./buckets";
import type { MetricDescription } from "./description";

/** As `waypost_webhook_endpoints` names it. */
const disabledBy = <R extends WebhookDisabledReason>(reason: R) => `disabled_${reason}` as const;

/** Those of webhooks, of the one catalogue. */
export const WEBHOOK_METRICS = {
  waypost_webhook_attempts_total: {
    kind: "counter",
    scope: "process",
    help: "Calls to webhook endpoints, by what came of them",
    labels: { result: ["delivered", ...WEBHOOK_ERROR_CLASSES] },
  },
  waypost_webhook_attempt_duration_seconds: {
    kind: "histogram",
    scope: "process",
    help: "From connecting to the headers of a webhook endpoint's answer",
    labels: {},
    buckets: CALL_SECONDS,
  },
  waypost_webhook_slots: {
    kind: "gauge",
    scope: "process",
    help: "Calls to webhook endpoints that may run at once (WAYPOST_WEBHOOK_SLOTS)",
    labels: {},
  },
  waypost_webhook_slots_in_use: {
    kind: "gauge",
    scope: "process",
    help: "Of them, those that are held by a call",
    labels: {},
  },
  waypost_webhooks_oldest_due_seconds: {
    kind: "gauge",
    scope: "installation",
    help: "How long the webhook that waits the longest for nothing but a process to send it waits; 0 when none waits",
    labels: {},
  },
  waypost_webhook_endpoints: {
    kind: "gauge",
    scope: "installation",
    help: "Webhook endpoints, but for removed ones; failing: every call failed since the last that didn't",
    labels: { state: ["working", "failing", ...WEBHOOK_DISABLED_REASONS.map(disabledBy)] },
  },
} as const satisfies Readonly<Record<`waypost_webhook${string}`, MetricDescription>>;
