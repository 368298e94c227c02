import type { z } from "zod";
import { validationError } from "./validation-error";

/**
 * The input by its schema, so that a verb keeps its rules whichever transport calls it.
 * @throws WaypostError `validation_failed` with the first field at fault.
 */
export function parseInput<S extends z.ZodType>(schema: S, input: z.input<S>): z.output<S> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw validationError(result.error, input);
}
