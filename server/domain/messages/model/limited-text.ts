import { z } from "zod";
import { codePoints, isBlank } from "@/server/lib/text";

/** A text with a maximum length in Unicode code points, as JSON Schema counts it. */
export function limitedText(max: number, description: string) {
  return z
    .string()
    .refine((text) => codePoints(text) <= max, { error: `must have at most ${max} characters` })
    .meta({ description, maxLength: max });
}

/** The same, with at least one visible character. */
export function visibleText(max: number, description: string) {
  return limitedText(max, description)
    .refine((text) => !isBlank(text), { error: "must not be blank" })
    .meta({ minLength: 1 });
}
