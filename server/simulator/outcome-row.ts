import type { GraphErrorName } from "./graph-errors";

/** A status callback that follows an acceptance. */
export interface PlannedStatus {
  readonly status: "sent" | "delivered" | "read" | "played" | "failed";
  /** Milliseconds after the acceptance. */
  readonly afterMs: number;
  /** Why, for `failed`. */
  readonly error?: GraphErrorName;
  /** Leaves `biz_opaque_callback_data` out. */
  readonly isUnnamed?: true;
}

/** What becomes of a message to some recipients. */
export interface OutcomeRow {
  /** The last five digits of the recipient that choose this row; null for every other number. */
  readonly suffix: string | null;
  /** One sentence for the documentation. */
  readonly description: string;
  readonly behaviour: OutcomeBehaviour;
}

/** An outcome by its name, as the documentation lists it. */
export interface Outcome extends OutcomeRow {
  readonly name: string;
  /** Heading under which the documentation lists it. */
  readonly group: string;
}

export type OutcomeBehaviour =
  /** A Graph error, nothing accepted. */
  | { readonly kind: "refuse"; readonly error: GraphErrorName }
  /** No Graph error, and nothing accepted. */
  | { readonly kind: "fail"; readonly answer: FailingAnswer; readonly answerDelayMs?: number }
  | {
      readonly kind: "accept";
      /** The first calls for one (number, recipient, biz_opaque_callback_data) go like this. */
      readonly refusedFirst?: FirstRefusals;
      readonly answer: AcceptedAnswer;
      readonly answerDelayMs?: number;
      readonly statuses: readonly PlannedStatus[];
    };

export type FirstRefusals =
  | { readonly times: number; readonly error: GraphErrorName }
  | { readonly times: number; readonly answer: FailingAnswer };

/** How the caller learns of an acceptance, or doesn't. */
export type AcceptedAnswer =
  | "message_id"
  /** With `message_status: held_for_quality_assessment`. */
  | "message_id_held"
  | "without_message_id"
  | "empty_200"
  | "cut_200"
  | "graph_500"
  | FailingAnswer;

/** How a call ends without a word about the message. */
export type FailingAnswer = "connection_dropped" | "html_500" | "html_502" | "empty_429";

export const sent = { status: "sent", afterMs: 30 } as const satisfies PlannedStatus;
export const delivered = { status: "delivered", afterMs: 150 } as const satisfies PlannedStatus;
export const read = { status: "read", afterMs: 400 } as const satisfies PlannedStatus;

/** The callbacks of a message that all goes well with. */
export const wholeLife = [sent, delivered, read] as const;
