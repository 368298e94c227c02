import { join } from "node:path";
import { z } from "zod";
import { documentedErrorNames } from "./graph-errors";
import { KeyedFile } from "./keyed-file";
import type { SimulatorLog } from "./log";

export const failureSchema = z.object({ error: z.enum(documentedErrorNames()) });

/** The error that every send of a number fails with, by phone number id, in `failures.jsonl`. */
export type Failures = KeyedFile<z.infer<typeof failureSchema>>;

export function openFailures(directory: string, log: SimulatorLog): Promise<Failures> {
  return KeyedFile.open(join(directory, "failures.jsonl"), failureSchema, log);
}
