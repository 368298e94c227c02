import { DELIVERY_STATES, type DeliveryState } from "@/db/schema";

/** The current states of messages. */
export type UsageCounts = Readonly<Record<DeliveryState | "accepted", number>>;

export const NO_COUNTS: UsageCounts = { accepted: 0, queued: 0, sent: 0, delivered: 0, read: 0, failed: 0 };

export function addedCounts(one: UsageCounts, other: Readonly<Record<DeliveryState, number>>): UsageCounts {
  const sum = { ...NO_COUNTS };
  for (const state of DELIVERY_STATES) {
    sum[state] = one[state] + other[state];
    sum.accepted += sum[state];
  }
  return sum;
}

/** Returns counts with that many messages of one state. */
export function countsOf(state: DeliveryState, count: number): UsageCounts {
  return { ...NO_COUNTS, [state]: count, accepted: count };
}
