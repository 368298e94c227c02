import { z } from "zod";

/** A name that people give to something: 1 to 100 code points, trimmed, without control characters. */
export const nameSchema = z
  .string()
  .trim()
  .regex(/^[^\p{Cc}\p{Cs}]{1,100}$/u, "must be 1 to 100 characters, without control characters");
