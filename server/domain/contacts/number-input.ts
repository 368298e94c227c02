import { z } from "zod";
import { numbersSpelled } from "./number-search";

/** Longer than a number with separators between all digits. */
const LENGTH_MAX = 100;

/** A filter by a phone number in any spelling; parsed, all numbers that the text can stand for. */
export const numberInput = z
  .string()
  .max(LENGTH_MAX, `must have at most ${LENGTH_MAX} characters`)
  .transform((text, issues) => {
    const numbers = numbersSpelled(text);
    if (numbers.length === 0)
      issues.addIssue({ code: "custom", message: "must be a phone number with its country code" });
    return numbers;
  });
