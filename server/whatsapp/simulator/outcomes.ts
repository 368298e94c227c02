import type { GraphErrorName } from "@/server/whatsapp/simulator/graph-errors";

/** A status callback that follows an acceptance. */
export interface PlannedStatus {
  readonly status: "sent" | "delivered" | "read" | "failed";
  /** Milliseconds after the acceptance. */
  readonly afterMs: number;
  /** Why, for `failed`. */
  readonly error?: GraphErrorName;
}

interface OutcomeRow {
  /** The last five digits of the recipient that choose this row; null for every other number. */
  readonly suffix: string | null;
  /** One sentence for the documentation. */
  readonly description: string;
  readonly behaviour: OutcomeBehaviour;
}

export type OutcomeBehaviour =
  /** A Graph error, nothing accepted. */
  | { readonly kind: "refuse"; readonly error: GraphErrorName }
  /** The connection is closed without an answer, nothing accepted. */
  | { readonly kind: "drop" }
  | {
      readonly kind: "accept";
      /** The first calls for one (number, recipient, biz_opaque_callback_data) are refused like this. */
      readonly refusedFirst?: { readonly error: GraphErrorName; readonly times: number };
      readonly answer: AcceptedAnswer;
      readonly answerDelayMs?: number;
      readonly statuses: readonly PlannedStatus[];
    };

/** How the caller learns of an acceptance, or doesn't. */
export type AcceptedAnswer = "message_id" | "without_message_id" | "html_500" | "connection_dropped";

const sent = { status: "sent", afterMs: 30 } as const;
const delivered = { status: "delivered", afterMs: 150 } as const;
const read = { status: "read", afterMs: 400 } as const;
const wholeLife = [sent, delivered, read] as const;

/** What becomes of a message, by the recipient's last five digits. */
export const outcomes = {
  read: {
    suffix: null,
    description: "The message is accepted, sent, delivered and read within half a second.",
    behaviour: { kind: "accept", answer: "message_id", statuses: wholeLife },
  },
  stays_sent: {
    suffix: "99001",
    description: "The message is accepted and sent, and never reaches a device.",
    behaviour: { kind: "accept", answer: "message_id", statuses: [sent] },
  },
  stays_delivered: {
    suffix: "99002",
    description: "The message is delivered and never read.",
    behaviour: { kind: "accept", answer: "message_id", statuses: [sent, delivered] },
  },
  read_without_delivered: {
    suffix: "99003",
    description: "The customer reads at once, so that read comes and delivered never does.",
    behaviour: { kind: "accept", answer: "message_id", statuses: [sent, read] },
  },
  refused_undeliverable: {
    suffix: "99010",
    description: "The call is refused at once with 131026, message undeliverable.",
    behaviour: { kind: "refuse", error: "undeliverable" },
  },
  fails_undeliverable: {
    suffix: "99011",
    description: "The message is accepted and then fails with 131026, message undeliverable.",
    behaviour: {
      kind: "accept",
      answer: "message_id",
      statuses: [{ status: "failed", afterMs: 150, error: "undeliverable" }],
    },
  },
  fails_window_closed: {
    suffix: "99012",
    description: "The message is accepted and then fails with 131047, customer window closed.",
    behaviour: {
      kind: "accept",
      answer: "message_id",
      statuses: [{ status: "failed", afterMs: 150, error: "window_closed" }],
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
  accepted_then_dropped: {
    suffix: "99030",
    description: "The message is accepted, but the connection closes without an answer; callbacks follow.",
    behaviour: { kind: "accept", answer: "connection_dropped", statuses: wholeLife },
  },
  accepted_then_html_500: {
    suffix: "99031",
    description: "The message is accepted, but the answer is a 500 with an HTML page; callbacks follow.",
    behaviour: { kind: "accept", answer: "html_500", statuses: wholeLife },
  },
  dropped: {
    suffix: "99032",
    description: "The connection closes without an answer and nothing was accepted.",
    behaviour: { kind: "drop" },
  },
  accepted_answer_late: {
    suffix: "99033",
    description: "The message is accepted and its callbacks follow, but the answer takes 30 seconds.",
    behaviour: { kind: "accept", answer: "message_id", answerDelayMs: 30_000, statuses: wholeLife },
  },
  accepted_without_id: {
    suffix: "99034",
    description: "The message is accepted with a 200 that carries no message id; callbacks follow.",
    behaviour: { kind: "accept", answer: "without_message_id", statuses: wholeLife },
  },
  callbacks_disordered: {
    suffix: "99040",
    description: "The status callbacks come out of order and more than once, and end in read.",
    behaviour: {
      kind: "accept",
      answer: "message_id",
      statuses: [
        { status: "delivered", afterMs: 30 },
        { status: "read", afterMs: 90 },
        { status: "sent", afterMs: 150 },
        { status: "delivered", afterMs: 210 },
        { status: "sent", afterMs: 270 },
        { status: "read", afterMs: 330 },
      ],
    },
  },
  no_callbacks: {
    suffix: "99041",
    description: "The message is accepted and no callback ever follows.",
    behaviour: { kind: "accept", answer: "message_id", statuses: [] },
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
  refused_credentials: {
    suffix: "99060",
    description: "The call is refused with 190, as if the access token had expired.",
    behaviour: { kind: "refuse", error: "access_token_invalid" },
  },
} as const satisfies Record<string, OutcomeRow>;

export type OutcomeName = keyof typeof outcomes;

const suffixLength = 5;
const nameBySuffix = new Map<string, OutcomeName>();
for (const name of outcomeNames()) {
  const { suffix } = outcomes[name];
  if (suffix !== null) nameBySuffix.set(suffix, name);
}

/** The keys of the table. `Object.keys` of a const object that nothing extends, hence the cast. */
export function outcomeNames(): OutcomeName[] {
  return Object.keys(outcomes) as OutcomeName[];
}

/** The row for a recipient, given in digits. */
export function outcomeFor(recipient: string): { name: OutcomeName; behaviour: OutcomeBehaviour } {
  const name = nameBySuffix.get(recipient.slice(-suffixLength)) ?? "read";
  return { name, behaviour: outcomes[name].behaviour };
}
