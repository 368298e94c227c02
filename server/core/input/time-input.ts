import { z } from "zod";
import { wallClock } from "@/server/lib/wall-clock";

const TIME_RULE = "must be an RFC 3339 time such as 2026-01-31T12:00:00Z";
/** Range of times that have a four-digit year in every time zone, starting with Unix time 0. */
const TIME_MIN = 0;
const TIME_MAX = Date.UTC(9999, 11, 30);

const HOUR_MS = 3_600_000;
const HOURS = /^PT([1-9]\d{0,3})H$/;

/** A moment, in the formats that clients send. */
export const timeInput = z.iso
  .datetime({ offset: true, error: TIME_RULE })
  .refine((text) => Date.parse(text) >= TIME_MIN && Date.parse(text) <= TIME_MAX, { error: TIME_RULE });

/**
 * A moment, or a duration before the time of the request (ISO 8601, such as `PT24H`). With a duration, the requests of
 * a page that stays open move forward with the time.
 */
export const sinceInput = z
  .string()
  .transform((text) => {
    const hours = HOURS.exec(text)?.[1];
    return hours === undefined ? text : new Date(wallClock.nowMs() - Number(hours) * HOUR_MS).toISOString();
  })
  .pipe(timeInput);
