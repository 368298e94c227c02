import { z } from "zod";

const TIME_RULE = "must be an RFC 3339 time such as 2026-01-31T12:00:00Z";
/** Range of times that have a four-digit year in every time zone, starting with Unix time 0. */
const TIME_MIN = 0;
const TIME_MAX = Date.UTC(9999, 11, 30);

/** A moment, in the formats that clients send. */
export const timeInput = z.iso
  .datetime({ offset: true, error: TIME_RULE })
  .refine((text) => Date.parse(text) >= TIME_MIN && Date.parse(text) <= TIME_MAX, { error: TIME_RULE });
