import type { GraphErrorName } from "./graph-errors";

/** A status callback that follows an acceptance. */
export interface PlannedStatus {
  readonly status: "sent" | "delivered" | "read" | "played" | "failed";
  /** Milliseconds after the acceptance. */
  readonly afterMs: number;
  /** When it happened, if the callback is late. */
  readonly happenedAfterMs?: number;
  /** The reason, for `failed`. */
  readonly error?: GraphErrorName;
  /** More precise than those of the error. */
  readonly details?: string;
  /** Omits `biz_opaque_callback_data`. */
  readonly isUnnamed?: true;
}

/** Outcome of a message to some recipients. */
export interface OutcomeRow {
  /** The last five digits of a recipient that select this row. Null for all other numbers. */
  readonly suffix: string | null;
  /** One sentence for the documentation. */
  readonly description: string;
  readonly behaviour: OutcomeBehaviour;
}

/** An outcome with its name, as listed in the documentation. */
export interface Outcome extends OutcomeRow {
  readonly name: string;
  /** Its heading in the documentation. */
  readonly group: string;
}

export type OutcomeBehaviour =
  /** A Graph error; the message is not accepted. */
  | { readonly kind: "refuse"; readonly error: GraphErrorName }
  /** No Graph error, and the message is not accepted. */
  | { readonly kind: "fail"; readonly answer: FailingAnswer; readonly answerDelayMs?: number }
  | {
      readonly kind: "accept";
      /** Result of the first calls for one (number, recipient, biz_opaque_callback_data). */
      readonly refusedFirst?: FirstRefusals;
      readonly answer: AcceptedAnswer;
      readonly answerDelayMs?: number;
      readonly statuses: readonly PlannedStatus[];
      /** Of a template message, if they differ. */
      readonly templateStatuses?: readonly PlannedStatus[];
    };

export type FirstRefusals =
  | { readonly times: number; readonly error: GraphErrorName }
  | { readonly times: number; readonly answer: FailingAnswer };

/** Whether and how the response reports an acceptance. */
export type AcceptedAnswer =
  | "message_id"
  /** With `message_status: held_for_quality_assessment`. */
  | "message_id_held"
  | "without_message_id"
  | "empty_200"
  | "cut_200"
  | "graph_500"
  | FailingAnswer;

/** How a call ends without a result for the message. */
export type FailingAnswer = "connection_dropped" | "html_500" | "html_502" | "empty_429";

export const sent = { status: "sent", afterMs: 30 } as const satisfies PlannedStatus;
export const delivered = { status: "delivered", afterMs: 150 } as const satisfies PlannedStatus;
export const read = { status: "read", afterMs: 400 } as const satisfies PlannedStatus;

/** The callbacks of a successful message. */
export const wholeLife = [sent, delivered, read] as const;
