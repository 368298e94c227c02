import type { DeliveryState } from "@/db/schema";
import { addedCounts, countsOf, NO_COUNTS, type UsageCounts } from "./counts";
import { added, percentileMs, sumOf } from "./histogram";
import type { MessageGroup } from "./messages-by-hour";
import { pointAt, type Points } from "./points";
import type { CountedRow, LatencyRow, RefusalRow } from "./read-hours";
import { addedGroup } from "./replace-hour";
import type { LatencyView, UsageView } from "./view";

/** The counts of one point. */
interface PointCounts {
  counts: UsageCounts;
  handedOver: number[];
  delivered: number[];
  refused: number;
}

const nothing = (): PointCounts => ({ counts: NO_COUNTS, handedOver: [], delivered: [], refused: 0 });

/** Adds up stored counts and those of messages that aren't stored in them yet. */
export class UsageAggregation {
  readonly #points: Points;
  readonly #byPoint: readonly PointCounts[];
  readonly #failures = new Map<string, number>();
  readonly #refusals = new Map<string, number>();
  readonly #byChannel = new Map<string, UsageCounts>();
  readonly #byKey = new Map<string | null, UsageCounts>();

  constructor(points: Points) {
    this.#points = points;
    this.#byPoint = points.starts.map(nothing);
  }

  addCounted(row: CountedRow): void {
    if (row.by === "channel") return addTo(this.#byChannel, row.channelId, row);
    if (row.by === "key") return addTo(this.#byKey, row.keyId, row);
    const point = this.#byPoint[row.point];
    if (!point) return;
    point.counts = addedCounts(point.counts, row);
    if (row.errorCode !== null) increase(this.#failures, row.errorCode, row.failed);
  }

  addLatencies({ point: index, handedOver, delivered }: LatencyRow): void {
    const point = this.#byPoint[index];
    if (!point) return;
    point.handedOver = added(point.handedOver, handedOver);
    point.delivered = added(point.delivered, delivered);
  }

  addMessages({
    hour,
    channelId,
    keyId,
    state,
    errorCode,
    handedOver,
    delivered,
    count,
  }: MessageGroup): void {
    const index = pointAt(this.#points, hour);
    const point = index === null ? undefined : this.#byPoint[index];
    if (!point) return;
    const counts = countsOf(state, count);
    point.counts = addedCounts(point.counts, counts);
    point.handedOver = addedGroup(point.handedOver, handedOver, count);
    point.delivered = addedGroup(point.delivered, delivered, count);
    if (errorCode !== null) increase(this.#failures, errorCode, count);
    addTo(this.#byChannel, channelId, counts);
    addTo(this.#byKey, keyId, counts);
  }

  addRefusals({ point: index, code, refused }: RefusalRow): void {
    const point = this.#byPoint[index];
    if (point) point.refused += refused;
    increase(this.#refusals, code, refused);
  }

  points(): UsageView[] {
    return this.#byPoint.map(viewOf);
  }

  totals(): UsageView {
    return viewOf(
      this.#byPoint.reduce(
        (sum, point) => ({
          counts: addedCounts(sum.counts, point.counts),
          handedOver: added(sum.handedOver, point.handedOver),
          delivered: added(sum.delivered, point.delivered),
          refused: sum.refused + point.refused,
        }),
        nothing(),
      ),
    );
  }

  /** Codes with their counts, most frequent first. */
  failures = () => commonestFirst(this.#failures);
  refusals = () => commonestFirst(this.#refusals);

  byChannel = () => largestFirst(this.#byChannel);
  byKey = () => largestFirst(this.#byKey);
}

function addTo<Id>(
  sums: Map<Id, UsageCounts>,
  id: Id,
  counts: Readonly<Record<DeliveryState, number>>,
): void {
  sums.set(id, addedCounts(sums.get(id) ?? NO_COUNTS, counts));
}

function increase(sums: Map<string, number>, code: string, count: number): void {
  sums.set(code, (sums.get(code) ?? 0) + count);
}

function commonestFirst(sums: ReadonlyMap<string, number>): [string, number][] {
  return [...sums].sort(([code, count], [other, others]) => others - count || code.localeCompare(other));
}

function largestFirst<Id>(sums: ReadonlyMap<Id, UsageCounts>): [Id, UsageCounts][] {
  return [...sums].sort(([, one], [, other]) => other.accepted - one.accepted);
}

function viewOf({ counts, handedOver, delivered, refused }: PointCounts): UsageView {
  return {
    ...counts,
    handedOverAfter: latencyOf(handedOver),
    deliveredAfter: latencyOf(delivered),
    refused,
  };
}

function latencyOf(histogram: readonly number[]): LatencyView {
  return {
    count: sumOf(histogram),
    p50Ms: percentileMs(histogram, 0.5),
    p95Ms: percentileMs(histogram, 0.95),
  };
}
