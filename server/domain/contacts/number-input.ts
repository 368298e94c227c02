import { z } from "zod";
import { numbersSpelled } from "./number-search";

/** Longer than a number with separators between all digits. */
const LENGTH_MAX = 100;

/** A national form has no country code: without its 0 it could be a number of another country. */
const NATIONAL = /^\D*0(?!0|11)/;

/** A filter by a phone number in any spelling; parsed, all numbers that the text can stand for. */
export const numberInput = z
  .string()
  .max(LENGTH_MAX, `must have at most ${LENGTH_MAX} characters`)
  .transform((text, issues) => {
    const numbers = NATIONAL.test(text) ? [] : numbersSpelled(text);
    if (numbers.length === 0)
      issues.addIssue({ code: "custom", message: "must be a phone number with its country code" });
    return numbers;
  });
