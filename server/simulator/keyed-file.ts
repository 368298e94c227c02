import { stat } from "node:fs/promises";
import type { z } from "zod";
import { AppendFile } from "./append-file";
import type { SimulatorLog } from "./log";
import { readLines } from "./read-lines";

/**
 * Values by key, stored in a file to which every change appends a line `[key, value | null]`. An unreadable line is
 * skipped, a torn last one cut off. Only one process may use it at a time.
 */
export class KeyedFile<Value extends object> {
  readonly #file: AppendFile;
  readonly #values: Map<string, Value>;

  private constructor(file: AppendFile, values: Map<string, Value>) {
    this.#file = file;
    this.#values = values;
  }

  static async open<Value extends object>(
    path: string,
    schema: z.ZodType<Value>,
    log: SimulatorLog,
  ): Promise<KeyedFile<Value>> {
    const values = new Map<string, Value>();
    let bytes = 0;
    for await (const { lines, nextOffset } of readLines(path, { start: 0, end: await sizeOf(path) })) {
      for (const line of lines) {
        const change = parseLine(line, schema);
        if (change === null)
          log.warn({ path }, "a line of the simulator's data can't be read and is passed over");
        else if (change.value === null) values.delete(change.key);
        else values.set(change.key, change.value);
      }
      bytes = nextOffset;
    }
    return new KeyedFile(await AppendFile.open(path, bytes), values);
  }

  get(key: string): Value | null {
    return this.#values.get(key) ?? null;
  }

  /** In the order in which their keys were first set. */
  values(): Iterable<Value> {
    return this.#values.values();
  }

  /**
   * `get` returns the new value immediately. Resolves when it is on disk. If it can't be stored, rejects and undoes the
   * change.
   */
  async set(key: string, value: Value): Promise<void> {
    const before = this.get(key);
    this.#values.set(key, value);
    await this.#write(key, value, before);
  }

  async delete(key: string): Promise<void> {
    const before = this.get(key);
    if (before === null) return;
    this.#values.delete(key);
    await this.#write(key, null, before);
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  async #write(key: string, value: Value | null, before: Value | null): Promise<void> {
    try {
      await this.#file.append(JSON.stringify([key, value]));
    } catch (error) {
      if (before === null) this.#values.delete(key);
      else this.#values.set(key, before);
      throw error;
    }
  }
}

function parseLine<Value>(
  line: string,
  schema: z.ZodType<Value>,
): { key: string; value: Value | null } | null {
  let entry: unknown;
  try {
    entry = JSON.parse(line);
  } catch {
    return null;
  }
  if (!Array.isArray(entry)) return null;
  const [key, value]: unknown[] = entry;
  if (typeof key !== "string") return null;
  if (value === null) return { key, value };
  const parsed = schema.safeParse(value);
  return parsed.success ? { key, value: parsed.data } : null;
}

async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  return found?.size ?? 0;
}
