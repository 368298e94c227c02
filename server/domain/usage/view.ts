import type { UsageCounts } from "./counts";
import type { Range } from "./points";

/** How long it took, by those that it happened to. Each percentile is at most 9 % from the true one. */
export interface LatencyView {
  readonly count: number;
  /** Null when it happened to none. */
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
}

/** Messages by when they were accepted, and what became of them. */
export interface UsageView extends UsageCounts {
  /** From acceptance until they were handed to WhatsApp. */
  readonly handedOverAfter: LatencyView;
  /** From then until they were delivered. */
  readonly deliveredAfter: LatencyView;
  /** Requests that were refused; null where one channel is asked about, which a refused request doesn't have. */
  readonly refused: number | null;
}

export interface UsagePoint extends UsageView {
  readonly startsAt: Date;
  readonly endsAt: Date;
}

export interface CodeCount {
  readonly code: string;
  readonly count: number;
  /** What it means and what support staff do, by the catalogue; null for a code that another version has. */
  readonly message: string | null;
  readonly remedy: string | null;
}

export interface UsageSummary {
  readonly range: Range;
  readonly unit: "hour" | "day";
  readonly zone: string;
  /** What was accepted until then is counted. */
  readonly asOf: Date;
  /** States and latencies are at least as new as that, for three days after a message's acceptance. */
  readonly statesAsOf: Date;
  /** What was accepted before isn't counted yet; null when all is. */
  readonly countedSince: Date | null;
  /** Oldest first, without gaps. */
  readonly points: readonly UsagePoint[];
  readonly totals: UsageView;
  /** The commonest first. */
  readonly failures: readonly CodeCount[];
  /** Null where one channel is asked about. */
  readonly refusals: readonly CodeCount[] | null;
  readonly byChannel: readonly (UsageCounts & { readonly channelId: string; readonly name: string | null })[];
  /** `keyId` null: sent by members, or by Waypost itself. */
  readonly byKey: readonly (UsageCounts & { readonly keyId: string | null; readonly name: string | null })[];
}
