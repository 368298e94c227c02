import { readFile } from "node:fs/promises";
import { text as readAll } from "node:stream/consumers";
import type { z } from "zod";
import { CommandError } from "./command";

/**
 * Reads credentials from a file, or from standard input for `-`. They are not accepted on the command line, which is
 * visible to every process and kept in the shell's history.
 * @param shape description of the schema, for the operator.
 * @throws CommandError that repeats nothing from the file.
 */
export async function readCredentials<S extends z.ZodType>(
  file: string,
  schema: S,
  shape: string,
): Promise<z.output<S>> {
  const text = file === "-" ? await readAll(process.stdin) : await readFile(file, "utf8").catch(unreadable);
  const parsed = schema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new CommandError("credentials_malformed", `The credentials must be ${shape}.`);
}

function unreadable(error: NodeJS.ErrnoException): never {
  const cause = error.code ?? "unknown error";
  throw new CommandError("file_unreadable", `The file given by --credentials can't be read: ${cause}.`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
