import type { GraphErrorName } from "./graph-errors";
import { outcomeNamed } from "./outcomes";
import type { PlannedStatus } from "./outcome-row";

/** One call of `POST /{phone_number_id}/messages` in the ledger. */
export interface CallRecord {
  readonly kind: "call";
  /** Time of the call, ISO 8601. */
  readonly at: string;
  readonly biz_opaque_callback_data: string | null;
  readonly phone_number_id: string;
  /** The recipient as written: a number, or an id of a person. */
  readonly to: string | null;
  /** The HTTP status of the response. 0 if the connection was closed instead. */
  readonly status: number;
  /** Code of the Graph error in the response. */
  readonly code: number | null;
  /** Set if and only if the message was accepted, whatever the response was. */
  readonly wamid: string | null;
  /** Name of the outcome that the recipient selected. Null if the call was refused before. */
  readonly outcome: string | null;
  readonly accepted: AcceptedMessage | null;
}

/** One call that marks a customer's message as read. */
export interface MarkRecord {
  readonly kind: "mark";
  /** Time of the call, ISO 8601. */
  readonly at: string;
  readonly phone_number_id: string;
  /** As the caller wrote it. Null if it is no text. */
  readonly message_id: string | null;
  /** True if the call also showed the customer that an answer is being written. */
  readonly typing_indicator: boolean;
  /** The HTTP status of the response. */
  readonly status: number;
  /** Code of the Graph error in the response. */
  readonly code: number | null;
}

export interface AcceptedMessage {
  readonly serial: number;
  readonly type: string;
  /** The text of a text message, the content object of any other type. */
  readonly body: unknown;
  /** A number in digits, or an id of a person. */
  readonly recipient: string;
  /** The wamid of the quoted message. */
  readonly quotes?: string;
  readonly accepted_at_ms: number;
  readonly statuses: readonly PlannedStatus[];
}

/** An event that isn't a status: a customer's message, a changed template. One change of a callback. */
export interface EventRecord extends ChangeContent {
  readonly at: string;
  readonly serial: number;
  readonly at_ms: number;
  readonly phone_number_id: string;
  /** When its callbacks are due. Once, at `at_ms`, if absent. Never, if empty. */
  readonly due_ms?: readonly number[];
}

/** Requested statuses. Their messages needn't exist. All are in one callback. */
export interface StatusesRecord {
  readonly kind: "statuses";
  readonly at: string;
  readonly serial: number;
  readonly at_ms: number;
  readonly phone_number_id: string;
  readonly statuses: readonly StatusContent[];
}

/** Callbacks that are no longer owed: accepted by the receiver, or abandoned after seven days. */
export interface SettledRecord {
  readonly kind: "delivered" | "abandoned";
  readonly at: string;
  readonly callbacks: readonly string[];
}

export type JournalRecord = CallRecord | MarkRecord | EventRecord | StatusesRecord | SettledRecord;

/** A callback that has not been delivered yet. */
export interface OwedCallback {
  readonly id: string;
  readonly phone_number_id: string;
  readonly due_at_ms: number;
  /** When it happened. `due_at_ms` if absent. */
  readonly happened_at_ms?: number;
  readonly content: StatusContent | ChangeContent;
}

export interface StatusContent {
  readonly kind: "status";
  readonly wamid: string;
  readonly status: PlannedStatus["status"];
  readonly error: GraphErrorName | null;
  /** More precise than those of the error. */
  readonly details?: string;
  /** A number in digits, or an id of a person. */
  readonly recipient: string;
  readonly message_type: string;
  readonly biz_opaque_callback_data: string | null;
}

export interface ChangeContent {
  readonly kind: "change";
  /** Meta's name of the webhook field. */
  readonly field: ChangeField;
  /** In Meta's format, without the number that it is about. */
  readonly value: object;
}

export type ChangeField = "messages" | "calls" | "user_preferences" | "message_template_status_update";

/**
 * Returns the callbacks that a record creates. The result is the same when the record is written and when it is read
 * again.
 */
export function owedBy(record: JournalRecord): OwedCallback[] {
  switch (record.kind) {
    case "call":
      return statusesOfCall(record);
    case "change": {
      const { serial, phone_number_id, at_ms, due_ms = [at_ms], field, value } = record;
      return due_ms.map((due_at_ms, index) => ({
        id: `${serial}.${index}`,
        phone_number_id,
        due_at_ms,
        content: { kind: "change", field, value },
      }));
    }
    case "statuses":
      return record.statuses.map((content, index) => ({
        id: `${record.serial}.${index}`,
        phone_number_id: record.phone_number_id,
        due_at_ms: record.at_ms,
        content,
      }));
    case "mark":
    case "delivered":
    case "abandoned":
      return [];
  }
}

function statusesOfCall({
  accepted,
  wamid,
  phone_number_id,
  biz_opaque_callback_data,
}: CallRecord): OwedCallback[] {
  if (accepted === null || wamid === null) return [];
  return accepted.statuses.map((planned, index) => ({
    id: `${accepted.serial}.${index}`,
    phone_number_id,
    due_at_ms: accepted.accepted_at_ms + planned.afterMs,
    happened_at_ms: accepted.accepted_at_ms + (planned.happenedAfterMs ?? planned.afterMs),
    content: {
      kind: "status",
      wamid,
      status: planned.status,
      error: planned.error ?? null,
      ...(planned.details === undefined ? {} : { details: planned.details }),
      recipient: accepted.recipient,
      message_type: accepted.type,
      biz_opaque_callback_data: planned.isUnnamed ? null : biz_opaque_callback_data,
    },
  }));
}

/** Returns the serial of a record. 0 if it has none. */
export function serialOf(record: JournalRecord): number {
  if ("serial" in record) return record.serial;
  return record.kind === "call" ? (record.accepted?.serial ?? 0) : 0;
}

const kinds = ["call", "mark", "change", "statuses", "delivered", "abandoned"];

/** Reads one line of the journal. Only the simulator writes it, hence the cast. Null for a foreign line. */
export function parseRecord(line: string): JournalRecord | null {
  try {
    const value: unknown = JSON.parse(line);
    const isKnown =
      typeof value === "object" &&
      value !== null &&
      "kind" in value &&
      kinds.some((kind) => kind === value.kind);
    return isKnown ? (value as JournalRecord) : null;
  } catch {
    return null;
  }
}

/** Returns true if a call counts as one of the first refusals that its outcome prescribes. */
export function isCountedRefusal(record: CallRecord): boolean {
  if (record.wamid !== null || record.outcome === null) return false;
  const behaviour = outcomeNamed(record.outcome)?.behaviour;
  return behaviour?.kind === "accept" && behaviour.refusedFirst !== undefined;
}
