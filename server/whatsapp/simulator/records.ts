import type { GraphErrorName } from "@/server/whatsapp/simulator/graph-errors";
import { outcomes, type OutcomeName, type PlannedStatus } from "@/server/whatsapp/simulator/outcomes";

/** One call of `POST /{phone_number_id}/messages`, as it stands in the ledger. */
export interface CallRecord {
  readonly kind: "call";
  /** Time of the call, ISO 8601. */
  readonly at: string;
  readonly biz_opaque_callback_data: string | null;
  readonly phone_number_id: string;
  readonly to: string | null;
  /** The HTTP status answered; 0 where the connection was closed instead. */
  readonly status: number;
  /** Code of the Graph error answered. */
  readonly code: number | null;
  /** Set exactly where the message was accepted, whatever was answered. */
  readonly wamid: string | null;
  readonly outcome: OutcomeName | null;
  readonly accepted: AcceptedMessage | null;
}

export interface AcceptedMessage {
  readonly serial: number;
  readonly type: string;
  /** The text of a text message, the content object of any other type. */
  readonly body: unknown;
  /** The recipient in digits. */
  readonly wa_id: string;
  readonly accepted_at_ms: number;
  readonly statuses: readonly PlannedStatus[];
}

/** A message that the customer wrote. */
export interface InboundRecord {
  readonly kind: "inbound";
  readonly at: string;
  readonly serial: number;
  readonly at_ms: number;
  readonly phone_number_id: string;
  readonly from: string;
  readonly wamid: string;
  readonly text: string;
  readonly profile_name: string;
}

/** Callbacks that are owed no more: taken by the receiver, or given up after seven days. */
export interface SettledRecord {
  readonly kind: "delivered" | "abandoned";
  readonly at: string;
  readonly callbacks: readonly string[];
}

export type JournalRecord = CallRecord | InboundRecord | SettledRecord;

/** A callback that has not been delivered yet. */
export interface OwedCallback {
  readonly id: string;
  readonly phone_number_id: string;
  readonly due_at_ms: number;
  readonly content: StatusContent | InboundContent;
}

export interface StatusContent {
  readonly kind: "status";
  readonly wamid: string;
  readonly status: PlannedStatus["status"];
  readonly error: GraphErrorName | null;
  readonly recipient: string;
  readonly message_type: string;
  readonly biz_opaque_callback_data: string | null;
}

export interface InboundContent {
  readonly kind: "inbound";
  readonly wamid: string;
  readonly from: string;
  readonly profile_name: string;
  readonly text: string;
}

/** The callbacks that a record makes owed; the same when it is written and when it is read again. */
export function owedBy(record: JournalRecord): OwedCallback[] {
  if (record.kind === "inbound") return [inboundCallback(record)];
  if (record.kind !== "call" || record.accepted === null || record.wamid === null) return [];
  const { accepted, wamid } = record;
  return accepted.statuses.map((planned, index) => ({
    id: `${accepted.serial}.${index}`,
    phone_number_id: record.phone_number_id,
    due_at_ms: accepted.accepted_at_ms + planned.afterMs,
    content: {
      kind: "status",
      wamid,
      status: planned.status,
      error: planned.error ?? null,
      recipient: accepted.wa_id,
      message_type: accepted.type,
      biz_opaque_callback_data: record.biz_opaque_callback_data,
    },
  }));
}

function inboundCallback(record: InboundRecord): OwedCallback {
  return {
    id: `${record.serial}.0`,
    phone_number_id: record.phone_number_id,
    due_at_ms: record.at_ms,
    content: {
      kind: "inbound",
      wamid: record.wamid,
      from: record.from,
      profile_name: record.profile_name,
      text: record.text,
    },
  };
}

/** The serial that a record took, 0 where it took none. */
export function serialOf(record: JournalRecord): number {
  if (record.kind === "inbound") return record.serial;
  return record.kind === "call" ? (record.accepted?.serial ?? 0) : 0;
}

/** Reads one line of the journal. This process family is its only writer, hence the cast; null for a foreign line. */
export function parseRecord(line: string): JournalRecord | null {
  try {
    const value: unknown = JSON.parse(line);
    const known = typeof value === "object" && value !== null && "kind" in value;
    return known ? (value as JournalRecord) : null;
  } catch {
    return null;
  }
}

/** Whether a call counts as one of the first refusals that its outcome prescribes. */
export function isCountedRefusal(record: CallRecord): boolean {
  if (record.wamid !== null || record.outcome === null) return false;
  return "refusedFirst" in outcomes[record.outcome].behaviour;
}
