import { z } from "zod";
import { timeInput } from "@/server/core/input/time-input";
import { WaypostError } from "@/server/platform/errors";
import { hoursLater, isZone, type Period } from "./points";
import { USAGE_KEPT_DAYS } from "./replace-hour";

/** Fields of a period: a range up to now, or a span from `since` (inclusive) to `until` (exclusive, by default now). */
export const periodFields = {
  range: z.enum(["24h", "7d", "30d", "90d"]).optional(),
  since: timeInput.optional(),
  until: timeInput.optional(),
  /** The time zone in which days start (IANA). */
  zone: z.string().max(100).refine(isZone, "must be a time zone such as Europe/Berlin").default("UTC"),
};

const periodInput = z.object(periodFields);

type PeriodInput = Pick<z.output<typeof periodInput>, "range" | "since" | "until">;

/** Either a range or a span. A condition for `refine`. */
export const isOnePeriod = ({ range, since, until }: PeriodInput) =>
  (range === undefined) !== (since === undefined) && (range === undefined || until === undefined);

export const ONE_PERIOD_RULE = {
  error: "must be given, or `since` with an optional `until`, but not both",
  path: ["range"],
};

/** Returns when the oldest hour that is kept starts at the earliest. */
export const keptSince = (now: Date) => hoursLater(now, -24 * USAGE_KEPT_DAYS);

/** @throws WaypostError `validation_failed` for a span that ends before it starts. */
export function periodOf({ range, since, until }: PeriodInput, now: Date): Period {
  if (range !== undefined) return range;
  const [from, end] = [new Date(since ?? now), until === undefined ? now : new Date(until)];
  if (from >= end || from >= now) {
    throw new WaypostError("validation_failed", {
      field: "since",
      message: "must be before `until` and now",
    });
  }
  const kept = keptSince(now);
  if (end <= kept)
    throw new WaypostError("validation_failed", {
      field: "until",
      message: `must be in the last ${USAGE_KEPT_DAYS} days`,
    });
  return { since: from > kept ? from : kept, until: end };
}
