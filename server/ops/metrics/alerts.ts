/** A rule for Prometheus, and what to do when it fires. */
export interface Alert {
  readonly name: string;
  readonly expression: string;
  /** How long it must hold, in Prometheus's words. */
  readonly forTime: string;
  readonly severity: "page" | "ticket";
  readonly remedy: string;
}

/** Rules that the documentation offers. A test holds each expression against the catalogue. */
export const ALERTS: readonly Alert[] = [
  {
    name: "WaypostDown",
    expression: 'up{job="waypost"} == 0 or waypost_ready == 0',
    forTime: "1m",
    severity: "page",
    remedy: "Ask `/readyz` which part doesn't work; if nothing answers, see whether the process runs.",
  },
  {
    name: "WaypostQueueStands",
    expression: "max(waypost_queue_oldest_due_seconds) > 60",
    forTime: "2m",
    severity: "page",
    remedy:
      "Messages wait for their turn. See that a process runs jobs, that send slots are free, and what upstream calls come to.",
  },
  {
    name: "WaypostWebhooksLate",
    expression: "max(waypost_webhooks_oldest_due_seconds) > 120",
    forTime: "5m",
    severity: "ticket",
    remedy:
      "Webhooks wait for their turn, though their endpoints can be reached. See that a process runs jobs, that webhook slots are free, and how long endpoints take to answer.",
  },
  {
    name: "WaypostNobodySends",
    expression: "max(waypost_jobs_running) == 0 or max(waypost_sweep_age_seconds) > 180",
    forTime: "1m",
    severity: "page",
    remedy: "Start Waypost, or a process with `WAYPOST_ROLE=jobs`; where one runs, see its log.",
  },
  {
    name: "WaypostInngestAway",
    expression: 'max(waypost_degraded{part="inngest"}) == 1',
    forTime: "2m",
    severity: "ticket",
    remedy:
      "The Inngest server runs no functions; the processes that run jobs stand in for it. `doctor` names it and the address that it is to call, and their log says what fails.",
  },
  {
    name: "WaypostDegraded",
    expression: 'max by (part) (waypost_degraded{part=~"migrations|uploads"}) == 1',
    forTime: "15m",
    severity: "ticket",
    remedy:
      "uploads: files can't be taken, see the disk of the data directory; migrations: a newer version has migrated the database, and an older one still runs.",
  },
  {
    name: "WaypostMessagesInDoubt",
    expression: 'sum(increase(waypost_upstream_calls_total{operation="send",outcome="uncertain"}[10m])) > 10',
    forTime: "1m",
    severity: "ticket",
    remedy:
      "Answers of WhatsApp are lost on the way. Such messages are not sent again; callbacks confirm most of them. See the network.",
  },
  {
    name: "WaypostMessagesGivenUp",
    expression: 'sum(increase(waypost_messages_failed_total{code=~"upstream_unconfirmed|expired"}[15m])) > 0',
    forTime: "0m",
    severity: "ticket",
    remedy:
      "Nothing confirmed them, or they waited for half a day. See the queue, pauses, and whether callbacks come in.",
  },
  {
    name: "WaypostUpstreamFails",
    expression:
      'sum(rate(waypost_upstream_calls_total{operation="send",outcome=~"retry|uncertain"}[5m])) > 0.5 * sum(rate(waypost_upstream_calls_total{operation="send"}[5m]))',
    forTime: "5m",
    severity: "page",
    remedy:
      "More than half of the calls come to nothing. `doctor` reads each number and says what WhatsApp answers.",
  },
  {
    name: "WaypostChannelPaused",
    expression: "max by (reason) (waypost_channels_paused) > 0",
    forTime: "5m",
    severity: "page",
    remedy: "`doctor` names the channel, why, and what ends the pause. Its messages wait.",
  },
  {
    name: "WaypostCallbacksWait",
    expression: "max(waypost_callbacks_waiting_oldest_seconds) > 60",
    forTime: "2m",
    severity: "page",
    remedy: "Stored callbacks aren't processed: states stand still. See the log for why.",
  },
  {
    name: "WaypostCallbacksSilent",
    expression: "max(waypost_messages_awaiting_status) > 0.5 * max(waypost_messages_expecting_status) > 10",
    forTime: "10m",
    severity: "page",
    remedy:
      "WhatsApp takes messages and says nothing of them. See that Meta has the callback address, and reaches it.",
  },
  {
    name: "WaypostChannelSilent",
    expression: "max(waypost_channels_silent) > 0",
    forTime: "10m",
    severity: "page",
    remedy:
      "Messages of a channel were sent, and no status came of any for ten minutes. `doctor` names the channel: see that Meta has its callback address, and reaches it.",
  },
  {
    name: "WaypostCallbacksRefused",
    expression: 'sum(increase(waypost_callbacks_received_total{result="unsigned"}[10m])) > 10',
    forTime: "1m",
    severity: "ticket",
    remedy:
      "A wrong signature: the channel's app secret isn't Meta's. Set it with `channel set`; Meta sends again for days.",
  },
  {
    name: "WaypostCallbacksFail",
    expression: 'sum(increase(waypost_callbacks_received_total{result="failed"}[10m])) > 10',
    forTime: "1m",
    severity: "page",
    remedy:
      "Callbacks come and can't be stored. See whether the database answers, and the log; Meta sends them again for days.",
  },
  {
    name: "WaypostCallbacksLimited",
    expression: 'sum(increase(waypost_callbacks_received_total{result="limited"}[10m])) > 0',
    forTime: "1m",
    severity: "ticket",
    remedy:
      "A channel's callbacks exceed `WAYPOST_CALLBACK_MIB_PER_MINUTE`, or four times as much waits to be processed; Meta sends them again for days. Raise it, or see who else holds the channel's app secret.",
  },
  {
    name: "WaypostLimiterFails",
    expression: "sum(increase(waypost_limiter_let_through_total[5m])) > 0",
    forTime: "1m",
    severity: "ticket",
    remedy: "The limiter's store fails, so nobody is limited. See Redis or PostgreSQL, whichever it is in.",
  },
  {
    name: "WaypostDatabaseSlow",
    expression:
      "histogram_quantile(0.9, sum by (le) (rate(waypost_database_probe_seconds_bucket[5m]))) > 0.1 or histogram_quantile(0.99, sum by (le, instance) (rate(waypost_database_probe_seconds_bucket[5m]))) > 1 or sum(increase(waypost_database_probe_failures_total[5m])) > 5",
    forTime: "2m",
    severity: "page",
    remedy:
      "Requests wait for a connection or for PostgreSQL, or all stood still for seconds. See its load, locks and disk.",
  },
  {
    name: "WaypostSlow",
    expression:
      'histogram_quantile(0.99, sum by (le) (rate(waypost_http_request_duration_seconds_bucket{route="/api/public/v1/messages"}[5m]))) > 1 or max(nodejs_eventloop_lag_p99_seconds) > 0.25 or max(max_over_time(nodejs_eventloop_lag_max_seconds[10m])) > 1',
    forTime: "5m",
    severity: "ticket",
    remedy:
      "A process has more to do than it can, or stood still for a second. See its memory and what shares the machine; start a further one, or separate the roles.",
  },
  {
    name: "WaypostServerErrors",
    expression: 'sum(rate(waypost_http_requests_total{status=~"5..",route!="/readyz"}[5m])) > 0.1',
    forTime: "2m",
    severity: "page",
    remedy: "The log has each with the request id of its answer.",
  },
  {
    name: "WaypostDiskFills",
    expression: "min(waypost_data_directory_free_bytes) < 2e9",
    forTime: "5m",
    severity: "page",
    remedy: "Free some space, or move the data directory: PostgreSQL stops when none is left.",
  },
  {
    name: "WaypostPostgresRestarts",
    expression: "sum(increase(waypost_embedded_postgres_restarts_total[15m])) > 0",
    forTime: "0m",
    severity: "ticket",
    remedy:
      "The embedded PostgreSQL ended by itself. See `postgres.log` beside its cluster, and whether memory ran out.",
  },
  {
    name: "WaypostBlind",
    expression: "min by (part) (waypost_installation_up) == 0",
    forTime: "5m",
    severity: "ticket",
    remedy:
      "These metrics couldn't be read from the database within two seconds: the alerts on them say nothing.",
  },
];

const INDENT = "    ";

/** The rules as Prometheus reads them (https://prometheus.io/docs/prometheus/latest/configuration/alerting_rules/). */
export function alertRules(alerts: readonly Alert[] = ALERTS): string {
  const rules = alerts.flatMap(({ name, expression, forTime, severity, remedy }) => [
    `${INDENT}- alert: ${name}`,
    // A text in JSON is one in YAML too.
    `${INDENT}  expr: ${JSON.stringify(expression)}`,
    `${INDENT}  for: ${forTime}`,
    `${INDENT}  labels: { severity: ${severity} }`,
    `${INDENT}  annotations: { summary: ${JSON.stringify(remedy)} }`,
  ]);
  return ["groups:", "- name: waypost", "  rules:", ...rules].join("\n");
}
