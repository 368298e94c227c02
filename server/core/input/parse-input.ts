import type { z } from "zod";
import { validationError } from "./validation-error";

/**
 * Parses the input with its schema, so that a verb's rules hold for every transport that calls it.
 * @throws WaypostError `validation_failed` with the first invalid field.
 */
export function parseInput<S extends z.ZodType>(schema: S, input: z.input<S>): z.output<S> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw validationError(result.error, input);
}
