import { z } from "zod";
import { timeInput } from "@/server/core/input/time-input";

const HOUR_MS = 3_600_000;
const HOURS = /^PT([1-9]\d{0,3})H$/;

/**
 * A moment, or a duration before the time of the request (ISO 8601, such as `PT24H`). With a duration, the requests of
 * a page that stays open move forward with the time.
 */
export const sinceInput = z
  .string()
  .transform((text) => {
    const hours = HOURS.exec(text)?.[1];
    return hours === undefined ? text : new Date(Date.now() - Number(hours) * HOUR_MS).toISOString();
  })
  .pipe(timeInput);
