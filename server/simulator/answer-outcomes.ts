import { wholeLife, type OutcomeRow } from "./outcome-row";

const undeliverable = { status: "failed", afterMs: 150, error: "undeliverable" } as const;

/** Outcomes in which the message was accepted, but the response says nothing about it or is too late. */
export const lostAnswerOutcomes = {
  accepted_then_dropped: {
    suffix: "99030",
    description: "The message is accepted, but the connection closes without a response; callbacks follow.",
    behaviour: { kind: "accept", answer: "connection_dropped", statuses: wholeLife },
  },
  accepted_then_html_500: {
    suffix: "99031",
    description: "The message is accepted, but the response is a 500 with an HTML page; callbacks follow.",
    behaviour: { kind: "accept", answer: "html_500", statuses: wholeLife },
  },
  accepted_answer_late: {
    suffix: "99033",
    description: "The message is accepted and its callbacks follow, but the response takes 30 seconds.",
    behaviour: { kind: "accept", answer: "message_id", answerDelayMs: 30_000, statuses: wholeLife },
  },
  accepted_without_id: {
    suffix: "99034",
    description: "The message is accepted with a 200 that contains no message id; callbacks follow.",
    behaviour: { kind: "accept", answer: "without_message_id", statuses: wholeLife },
  },
  accepted_cut: {
    suffix: "99035",
    description:
      "The message is accepted, but the connection breaks in the middle of the response; callbacks follow.",
    behaviour: { kind: "accept", answer: "cut_200", statuses: wholeLife },
  },
  accepted_empty: {
    suffix: "99036",
    description: "The message is accepted with a 200 that has no body; callbacks follow.",
    behaviour: { kind: "accept", answer: "empty_200", statuses: wholeLife },
  },
  accepted_then_graph_500: {
    suffix: "99037",
    description:
      "The message is accepted, but the response is a 500 with an undocumented Graph error; callbacks follow.",
    behaviour: { kind: "accept", answer: "graph_500", statuses: wholeLife },
  },
  accepted_then_dropped_unconfirmed: {
    suffix: "99038",
    description:
      "The message is accepted, but the connection closes without a response, and no callback follows.",
    behaviour: { kind: "accept", answer: "connection_dropped", statuses: [] },
  },
  accepted_then_dropped_late: {
    suffix: "99039",
    description:
      "The message is accepted, but the connection closes without a response; callbacks follow after 30 seconds.",
    behaviour: {
      kind: "accept",
      answer: "connection_dropped",
      statuses: wholeLife.map((planned) => ({ ...planned, afterMs: planned.afterMs + 30_000 })),
    },
  },
  accepted_then_dropped_fails: {
    suffix: "99053",
    description:
      "The message is accepted, the connection closes without a response, and a failed callback with 131026 follows.",
    behaviour: { kind: "accept", answer: "connection_dropped", statuses: [undeliverable] },
  },
  accepted_then_dropped_fails_unnamed: {
    suffix: "99054",
    description: "Like 99053, but the failed callback contains no biz_opaque_callback_data.",
    behaviour: {
      kind: "accept",
      answer: "connection_dropped",
      statuses: [{ ...undeliverable, isUnnamed: true }],
    },
  },
  accepted_answer_slow: {
    suffix: "99070",
    description: "The message is accepted and its callbacks follow, but the response takes 5 seconds.",
    behaviour: { kind: "accept", answer: "message_id", answerDelayMs: 5_000, statuses: wholeLife },
  },
  accepted_answer_slower: {
    suffix: "99071",
    description: "The message is accepted and its callbacks follow, but the response takes 25 seconds.",
    behaviour: { kind: "accept", answer: "message_id", answerDelayMs: 25_000, statuses: wholeLife },
  },
} as const satisfies Record<string, OutcomeRow>;

/** Outcomes in which the call ends without a result, and the message was not accepted. */
export const failedCallOutcomes = {
  dropped: {
    suffix: "99032",
    description: "The message is not accepted; the connection closes without a response.",
    behaviour: { kind: "fail", answer: "connection_dropped" },
  },
  html_500: {
    suffix: "99072",
    description: "The message is not accepted; the response is a 500 with an HTML page.",
    behaviour: { kind: "fail", answer: "html_500" },
  },
  html_502: {
    suffix: "99073",
    description: "The message is not accepted; the response is a 502 with an HTML page.",
    behaviour: { kind: "fail", answer: "html_502" },
  },
  graph_500: {
    suffix: "99074",
    description: "The message is not accepted; the response is a 500 with an undocumented Graph error.",
    behaviour: { kind: "refuse", error: "unknown_failure_500" },
  },
  never_answers: {
    suffix: "99075",
    description: "The message is not accepted; the connection closes after a minute without a response.",
    behaviour: { kind: "fail", answer: "connection_dropped", answerDelayMs: 60_000 },
  },
  throttled_without_body: {
    suffix: "99076",
    description: "The first call gets a 429 without a body; the next one is accepted.",
    behaviour: {
      kind: "accept",
      refusedFirst: { answer: "empty_429", times: 1 },
      answer: "message_id",
      statuses: wholeLife,
    },
  },
  always_throttled_without_body: {
    suffix: "99077",
    description: "Every call gets a 429 without a body.",
    behaviour: { kind: "fail", answer: "empty_429" },
  },
} as const satisfies Record<string, OutcomeRow>;

/** The most frequently needed refusals and failures, with their own numbers. */
export const commonOutcomes = {
  undeliverable_at_once: {
    suffix: "99010",
    description: "The call is refused at once with 131026, message undeliverable.",
    behaviour: { kind: "refuse", error: "undeliverable" },
  },
  undeliverable_later: {
    suffix: "99011",
    description: "The message is accepted and then fails with 131026, message undeliverable.",
    behaviour: { kind: "accept", answer: "message_id", statuses: [undeliverable] },
  },
  window_closed_later: {
    suffix: "99012",
    description:
      "The message is accepted and then fails with 131047, customer window closed. A template is delivered and read.",
    behaviour: {
      kind: "accept",
      answer: "message_id",
      statuses: [{ status: "failed", afterMs: 150, error: "window_closed" }],
      templateStatuses: wholeLife,
    },
  },
  country_restricted_at_once: {
    suffix: "99013",
    description:
      "The call is refused at once with 130497: the business may not write to people in the recipient's country.",
    behaviour: { kind: "refuse", error: "country_restricted" },
  },
  country_restricted_later: {
    suffix: "99014",
    description:
      "The message is accepted and then fails with 130497: the business may not write to people in the recipient's country.",
    behaviour: {
      kind: "accept",
      answer: "message_id",
      statuses: [{ status: "failed", afterMs: 150, error: "country_restricted" }],
    },
  },
  throttled_once: {
    suffix: "99020",
    description: "The first call is refused with 130429, throughput exceeded; the next one is accepted.",
    behaviour: {
      kind: "accept",
      refusedFirst: { error: "throughput_exceeded", times: 1 },
      answer: "message_id",
      statuses: wholeLife,
    },
  },
  unavailable_once: {
    suffix: "99021",
    description: "The first call is refused with code 2, service unavailable; the next one is accepted.",
    behaviour: {
      kind: "accept",
      refusedFirst: { error: "service_unavailable", times: 1 },
      answer: "message_id",
      statuses: wholeLife,
    },
  },
  pair_limited_twice: {
    suffix: "99050",
    description: "The first two calls are refused with 131056, pair limit; the third one is accepted.",
    behaviour: {
      kind: "accept",
      refusedFirst: { error: "pair_rate_exceeded", times: 2 },
      answer: "message_id",
      statuses: wholeLife,
    },
  },
  token_expired: {
    suffix: "99060",
    description: "The call is refused with 190, as if the access token had expired.",
    behaviour: { kind: "refuse", error: "access_token_invalid" },
  },
} as const satisfies Record<string, OutcomeRow>;
