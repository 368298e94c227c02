import type { DeliveryState } from "@/db/schema";
import type { ErrorCode } from "@/server/platform/errors";

/** An observation about a message: from a response, a callback, or the clock. */
export interface Evidence {
  readonly kind: "sent" | "delivered" | "read" | "failed";
  /** The source; together with the kind it is unique per message. */
  readonly sourceKey: string;
  /** By the upstream's clock; null if it gave no time. */
  readonly upstreamAt: Date | null;
  readonly errorCode: ErrorCode | null;
  readonly detail: Readonly<Record<string, unknown>> | null;
}

/** The columns of a message that evidence is merged into. */
export interface StateColumns {
  readonly state: DeliveryState;
  readonly eventSequence: number;
  readonly errorCode: string | null;
  readonly errorDetail: Readonly<Record<string, unknown>> | null;
  readonly createdAt: Date;
  readonly sentAt: Date | null;
  readonly deliveredAt: Date | null;
  readonly readAt: Date | null;
  readonly failedAt: Date | null;
}

export interface DerivedEvent {
  readonly kind: Evidence["kind"];
  readonly sourceKey: string;
  /** Null: timeline only, the state didn't change. */
  readonly sequence: number | null;
  readonly previousState: DeliveryState | null;
  readonly inferred: boolean;
  readonly upstreamAt: Date | null;
  readonly errorCode: ErrorCode | null;
  readonly detail: Readonly<Record<string, unknown>> | null;
  /** The message as of this event. */
  readonly columns: StateColumns;
}

/** Failures that Waypost sets because WhatsApp reported nothing: any later report replaces them. */
const PRESUMPTIONS: readonly string[] = ["upstream_unconfirmed", "expired"] satisfies ErrorCode[];

const RANK = { queued: 0, sent: 1, delivered: 2, read: 3 } as const satisfies Partial<
  Record<DeliveryState, number>
>;

/**
 * Merges one piece of evidence into a message. Rank never falls; `failed` follows `queued` or `sent` only; `delivered`
 * and `read` win over a failure; a presumed failure gives way to any evidence. Of several delivery times the earliest
 * wins. Pure: the caller holds the row's lock.
 * @returns the new columns, and the events to append: the last is the evidence itself.
 */
export function derive(
  row: StateColumns,
  evidence: Evidence,
  now: Date,
): { columns: StateColumns; events: readonly DerivedEvent[] } {
  if (!moves(row, evidence)) {
    const columns = withDeliveryReported(row, evidence);
    return { columns, events: [eventOf(evidence, columns, null)] };
  }
  const infersDelivered = evidence.kind === "read" && row.deliveredAt === null;
  const events: DerivedEvent[] = [];
  let columns = row;
  if (infersDelivered) {
    // Under its own key: the same source may still report the delivery.
    const inferred: Evidence = {
      ...evidence,
      kind: "delivered",
      sourceKey: `inferred:${evidence.sourceKey}`,
    };
    columns = enter(columns, inferred, now);
    events.push(eventOf(inferred, columns, row.state, true));
  }
  const previous = columns.state;
  columns = enter(columns, evidence, now);
  events.push(eventOf(evidence, columns, previous));
  return { columns, events };
}

function moves(row: StateColumns, evidence: Evidence): boolean {
  const isPresumed = row.state === "failed" && PRESUMPTIONS.includes(row.errorCode ?? "");
  const presumes = PRESUMPTIONS.includes(evidence.errorCode ?? "");
  if (evidence.kind === "failed") {
    if (presumes) return row.state === "queued";
    return row.state === "queued" || row.state === "sent" || isPresumed;
  }
  if (row.state === "failed") return isPresumed || evidence.kind !== "sent";
  return RANK[evidence.kind] > RANK[row.state];
}

/** Returns the row in the evidence's state. Times never go backwards, and are never in the future. */
function enter(row: StateColumns, evidence: Evidence, now: Date): StateColumns {
  const at = (floor: Date | null) => clamp(evidence.upstreamAt ?? now, floor ?? row.createdAt, now);
  const moved = { ...row, state: evidence.kind, eventSequence: row.eventSequence + 1 };
  if (evidence.kind === "failed") {
    return {
      ...moved,
      errorCode: evidence.errorCode,
      errorDetail: evidence.detail,
      failedAt: at(row.sentAt),
    };
  }
  const cleared = { ...moved, errorCode: null, errorDetail: null, failedAt: null };
  const sentAt = row.sentAt ?? at(null);
  if (evidence.kind === "sent") return { ...cleared, sentAt };
  const deliveredAt = row.deliveredAt ?? at(sentAt);
  if (evidence.kind === "delivered") return { ...cleared, sentAt, deliveredAt };
  return { ...cleared, sentAt, deliveredAt, readAt: at(deliveredAt) };
}

/** If `delivered` is reported after `read`, and WhatsApp's time for it is earlier, it replaces the delivery time that was inferred from `read`. */
function withDeliveryReported(row: StateColumns, { kind, upstreamAt }: Evidence): StateColumns {
  if (kind !== "delivered" || upstreamAt === null || row.deliveredAt === null) return row;
  if (upstreamAt >= row.deliveredAt) return row;
  return { ...row, deliveredAt: clamp(upstreamAt, row.sentAt ?? row.createdAt, row.deliveredAt) };
}

/** @param previousState null if the state didn't change. */
function eventOf(
  evidence: Evidence,
  columns: StateColumns,
  previousState: DeliveryState | null,
  inferred = false,
): DerivedEvent {
  // Copied field by field: evidence with further fields, such as a status report with its ids, must not leak into the
  // event's row.
  const { kind, sourceKey, upstreamAt, errorCode, detail } = evidence;
  const sequence = previousState === null ? null : columns.eventSequence;
  return { kind, sourceKey, upstreamAt, errorCode, detail, sequence, previousState, inferred, columns };
}

function clamp(time: Date, floor: Date, ceiling: Date): Date {
  if (time < floor) return floor;
  return time > ceiling && ceiling >= floor ? ceiling : time;
}
