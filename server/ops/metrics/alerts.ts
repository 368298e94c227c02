/** A Prometheus rule, and what to do when it fires. */
export interface Alert {
  readonly name: string;
  readonly expression: string;
  /** How long the condition must hold, in Prometheus's format. */
  readonly forTime: string;
  readonly severity: "page" | "ticket";
  readonly remedy: string;
}

/** Rules that the documentation offers. A test checks each expression against the catalogue. */
export const ALERTS: readonly Alert[] = [
  {
    name: "WaypostDown",
    expression: 'up{job="waypost"} == 0 or waypost_ready == 0',
    forTime: "1m",
    severity: "page",
    remedy:
      "Check `/readyz` for the part that doesn't work. If nothing responds, check whether the process is running.",
  },
  {
    name: "WaypostQueueStands",
    expression: "max(waypost_queue_oldest_due_seconds) > 60",
    forTime: "2m",
    severity: "page",
    remedy:
      "Messages are waiting in the queue. Check that a process runs jobs, that send slots are free, and the outcomes of upstream calls.",
  },
  {
    name: "WaypostWebhooksLate",
    expression: "max(waypost_webhooks_oldest_due_seconds) > 120",
    forTime: "5m",
    severity: "ticket",
    remedy:
      "Webhooks are waiting although their endpoints can be reached. Check that a process runs jobs, that webhook slots are free, and how long endpoints take to respond.",
  },
  {
    name: "WaypostNobodySends",
    expression: "max(waypost_jobs_running) == 0 or max(waypost_sweep_age_seconds) > 180",
    forTime: "1m",
    severity: "page",
    remedy: "Start Waypost, or a process with `WAYPOST_ROLE=jobs`. If one is running, check its log.",
  },
  {
    name: "WaypostInngestAway",
    expression: 'max(waypost_degraded{part="inngest"}) == 1',
    forTime: "2m",
    severity: "ticket",
    remedy:
      "The Inngest server runs no functions. The processes that run jobs do its work meanwhile. `doctor` shows the server and the address that it has to call, and the log of these processes shows what fails.",
  },
  {
    name: "WaypostDegraded",
    expression: 'max by (part) (waypost_degraded{part=~"migrations|uploads"}) == 1',
    forTime: "15m",
    severity: "ticket",
    remedy:
      "uploads: files can't be accepted; check the disk of the data directory. migrations: a newer version has migrated the database while an older one is still running.",
  },
  {
    name: "WaypostMessagesInDoubt",
    expression: 'sum(increase(waypost_upstream_calls_total{operation="send",outcome="uncertain"}[10m])) > 10',
    forTime: "1m",
    severity: "ticket",
    remedy:
      "Responses from WhatsApp are lost on the way. Waypost doesn't send these messages again; callbacks confirm most of them. Check the network.",
  },
  {
    name: "WaypostMessagesGivenUp",
    expression: 'sum(increase(waypost_messages_failed_total{code=~"upstream_unconfirmed|expired"}[15m])) > 0',
    forTime: "0m",
    severity: "ticket",
    remedy:
      "Messages failed because nothing confirmed them or because they waited for half a day. Check the queue, paused channels, and whether callbacks arrive.",
  },
  {
    name: "WaypostUpstreamFails",
    expression:
      'sum(rate(waypost_upstream_calls_total{operation="send",outcome=~"retry|uncertain"}[5m])) > 0.5 * sum(rate(waypost_upstream_calls_total{operation="send"}[5m]))',
    forTime: "5m",
    severity: "page",
    remedy:
      "More than half of the send calls fail. `doctor` reads each number and shows how WhatsApp responds.",
  },
  {
    name: "WaypostChannelPaused",
    expression: "max by (reason) (waypost_channels_paused) > 0",
    forTime: "5m",
    severity: "page",
    remedy:
      "The messages of the channel wait. `doctor` shows the channel, the reason, and what ends the pause.",
  },
  {
    name: "WaypostCallbacksWait",
    expression: "max(waypost_callbacks_waiting_oldest_seconds) > 60",
    forTime: "2m",
    severity: "page",
    remedy:
      "Stored callbacks aren't processed, so message states don't change. Check the log for the reason.",
  },
  {
    name: "WaypostCallbacksSilent",
    expression: "max(waypost_messages_awaiting_status) > 0.5 * max(waypost_messages_expecting_status) > 10",
    forTime: "10m",
    severity: "page",
    remedy:
      "WhatsApp accepts messages but sends no statuses for them. Check that the callback URL is set at Meta and that Meta can reach it.",
  },
  {
    name: "WaypostChannelSilent",
    expression: "max(waypost_channels_silent) > 0",
    forTime: "10m",
    severity: "page",
    remedy:
      "A channel sent messages, but no status arrived for any of them within ten minutes. `doctor` shows the channel. Check that its callback URL is set at Meta and that Meta can reach it.",
  },
  {
    name: "WaypostCallbacksRefused",
    expression: 'sum(increase(waypost_callbacks_received_total{result="unsigned"}[10m])) > 10',
    forTime: "1m",
    severity: "ticket",
    remedy:
      "Callbacks have a wrong signature: the app secret of the channel differs from the one at Meta. Set it with `channel set`. Meta keeps retrying for days.",
  },
  {
    name: "WaypostCallbacksFail",
    expression: 'sum(increase(waypost_callbacks_received_total{result="failed"}[10m])) > 10',
    forTime: "1m",
    severity: "page",
    remedy:
      "Callbacks arrive but can't be stored. Check whether the database responds, and check the log. Meta retries the callbacks for days.",
  },
  {
    name: "WaypostCallbacksLimited",
    expression: 'sum(increase(waypost_callbacks_received_total{result="limited"}[10m])) > 0',
    forTime: "1m",
    severity: "ticket",
    remedy:
      "The callbacks of a channel exceed `WAYPOST_CALLBACK_MIB_PER_MINUTE`, or four times that amount is waiting to be processed. Meta retries the callbacks for days. Raise the limit, or find out who else has the app secret of the channel.",
  },
  {
    name: "WaypostLimiterFails",
    expression: "sum(increase(waypost_limiter_let_through_total[5m])) > 0",
    forTime: "1m",
    severity: "ticket",
    remedy:
      "The store of the rate limiter fails, so no request is limited. Check Redis or PostgreSQL, whichever holds the limits.",
  },
  {
    name: "WaypostDatabaseSlow",
    expression:
      "histogram_quantile(0.9, sum by (le) (rate(waypost_database_probe_seconds_bucket[5m]))) > 0.1 or histogram_quantile(0.99, sum by (le, instance) (rate(waypost_database_probe_seconds_bucket[5m]))) > 1 or sum(increase(waypost_database_probe_failures_total[5m])) > 5",
    forTime: "2m",
    severity: "page",
    remedy:
      "Requests wait for a connection or for PostgreSQL, or everything stopped for seconds. Check the load, locks and disk of PostgreSQL.",
  },
  {
    name: "WaypostSlow",
    expression:
      'histogram_quantile(0.99, sum by (le) (rate(waypost_http_request_duration_seconds_bucket{route="/api/public/v1/messages"}[5m]))) > 1 or max(nodejs_eventloop_lag_p99_seconds) > 0.25 or max(max_over_time(nodejs_eventloop_lag_max_seconds[10m])) > 1',
    forTime: "5m",
    severity: "ticket",
    remedy:
      "A process is overloaded, or stopped responding for a second. Check its memory and what else runs on the machine. Start another process, or separate the roles.",
  },
  {
    name: "WaypostServerErrors",
    expression: 'sum(rate(waypost_http_requests_total{status=~"5..",route!="/readyz"}[5m])) > 0.1',
    forTime: "2m",
    severity: "page",
    remedy: "The log contains each error with the request id of its response.",
  },
  {
    name: "WaypostDiskFills",
    expression: "min(waypost_data_directory_free_bytes) < 2e9",
    forTime: "5m",
    severity: "page",
    remedy: "Free some disk space, or move the data directory. PostgreSQL stops when no space is left.",
  },
  {
    name: "WaypostPostgresRestarts",
    expression: "sum(increase(waypost_embedded_postgres_restarts_total[15m])) > 0",
    forTime: "0m",
    severity: "ticket",
    remedy:
      "The embedded PostgreSQL ended unexpectedly. Check `postgres.log` next to its cluster, and whether memory ran out.",
  },
  {
    name: "WaypostBlind",
    expression: "min by (part) (waypost_installation_up) == 0",
    forTime: "5m",
    severity: "ticket",
    remedy:
      "These metrics couldn't be read from the database within two seconds, so the alerts based on them don't work.",
  },
];

const INDENT = "    ";

/**
 * Writes the rules in Prometheus's format (https://prometheus.io/docs/prometheus/latest/configuration/alerting_rules/).
 */
export function alertRules(alerts: readonly Alert[] = ALERTS): string {
  const rules = alerts.flatMap(({ name, expression, forTime, severity, remedy }) => [
    `${INDENT}- alert: ${name}`,
    // A JSON string is also valid YAML.
    `${INDENT}  expr: ${JSON.stringify(expression)}`,
    `${INDENT}  for: ${forTime}`,
    `${INDENT}  labels: { severity: ${severity} }`,
    `${INDENT}  annotations: { summary: ${JSON.stringify(remedy)} }`,
  ]);
  return ["groups:", "- name: waypost", "  rules:", ...rules].join("\n");
}
