import type { UsageCounts } from "./counts";
import type { Range } from "./points";

/** Latencies of the messages that reached this step. Each percentile differs by at most 9 % from the true one. */
export interface LatencyView {
  readonly count: number;
  /** Null if no message did. */
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
}

/** Messages by acceptance time, with their current states. */
export interface UsageView extends UsageCounts {
  /** From acceptance until they were handed to WhatsApp. */
  readonly handedOverAfter: LatencyView;
  /** From then until they were delivered. */
  readonly deliveredAfter: LatencyView;
  /** Refused requests; null for one channel, because a refused request has none. */
  readonly refused: number | null;
}

export interface UsagePoint extends UsageView {
  readonly startsAt: Date;
  readonly endsAt: Date;
}

export interface CodeCount {
  readonly code: string;
  readonly count: number;
  /** Its meaning and the step for support staff, by the catalogue; null for a code of another version. */
  readonly message: string | null;
  readonly remedy: string | null;
}

/** The period before, of the same length. */
export interface PreviousPeriod {
  readonly since: Date;
  readonly until: Date;
  /** Why it can't be compared with: nothing before `until` is there. Null if all of it is. */
  readonly missing: {
    /** The organization didn't exist; its counts were deleted because of their age; or they aren't counted yet. */
    readonly reason: "created" | "deleted" | "uncounted";
    readonly until: Date;
  } | null;
  readonly totals: UsageView;
}

export interface UsageSummary {
  /** Null for a span between two times. */
  readonly range: Range | null;
  readonly unit: "hour" | "day";
  readonly zone: string;
  /** Messages accepted until then are counted. */
  readonly asOf: Date;
  /** States and latencies are at least this recent, for three days after a message's acceptance. */
  readonly statesAsOf: Date;
  /** Messages accepted before aren't counted yet; null if all are. */
  readonly countedSince: Date | null;
  /** Counts before are deleted, so the span starts here; null if all of it is kept. */
  readonly keptSince: Date | null;
  readonly previous: PreviousPeriod;
  /** Oldest first, without gaps. */
  readonly points: readonly UsagePoint[];
  readonly totals: UsageView;
  /** Most frequent first. */
  readonly failures: readonly CodeCount[];
  /** Null for one channel. */
  readonly refusals: readonly CodeCount[] | null;
  readonly byChannel: readonly (UsageCounts & { readonly channelId: string; readonly name: string | null })[];
  /** `keyId` null: sent by members, or by Waypost itself. */
  readonly byKey: readonly (UsageCounts & { readonly keyId: string | null; readonly name: string | null })[];
}
