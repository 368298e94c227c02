import { open, type FileHandle, rename, writeFile, readFile, stat } from "node:fs/promises";
import { createReadStream } from "node:fs";
import type { z } from "zod";
import type { SimulatorLog } from "./simulator-context";

interface Waiting {
  line: string;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * An append-only file of lines. Lines that are added during a write go out together in the next one. Only one process
 * may own and write it; mode 0600.
 */
export class AppendFile {
  readonly #handle: FileHandle;
  #size: number;
  #waiting: Waiting[] = [];
  #flushing: Promise<void> | null = null;

  private constructor(handle: FileHandle, size: number) {
    this.#handle = handle;
    this.#size = size;
  }

  /** Opens or creates the file and cuts everything after `size` bytes: the torn line that a crash left. */
  static async open(path: string, size: number): Promise<AppendFile> {
    const handle = await open(path, "r+").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return open(path, "wx+", 0o600);
      throw error;
    });
    await handle.truncate(size);
    return new AppendFile(handle, size);
  }

  /** Number of written bytes, whole lines only. */
  get size(): number {
    return this.#size;
  }

  /** Resolves when the line is written to the file (it survives the death of this process, not of the machine). */
  append(line: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ line, resolve, reject });
      this.#flushing ??= new Promise((start) => setImmediate(start)).then(() => this.#flush());
    });
  }

  async close(): Promise<void> {
    while (this.#flushing !== null) await this.#flushing;
    await this.#handle.close();
  }

  async #flush(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        await this.#write(Buffer.from(batch.map(({ line }) => `${line}\n`).join("")));
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#flushing = null;
  }

  async #write(bytes: Buffer): Promise<void> {
    let written = 0;
    try {
      while (written < bytes.length) {
        const result = await this.#handle.write(bytes, written, bytes.length - written, this.#size + written);
        written += result.bytesWritten;
      }
    } catch (error) {
      // A full disk may have stored half a line. The next write starts at the same position in any case.
      await this.#handle.truncate(this.#size).catch(() => undefined);
      throw error;
    }
    this.#size += written;
  }
}

const newline = 0x0a;

/**
 * Yields the whole lines of a file between two byte offsets, in pieces, each with the offset after its last line. A
 * torn last line is omitted. (node:readline would also split at U+2028, which JSON doesn't escape.)
 */
export async function* readLines(
  path: string,
  range: { start: number; end: number },
): AsyncGenerator<{ lines: string[]; nextOffset: number }> {
  if (range.end <= range.start) return;
  let rest: Buffer = Buffer.alloc(0);
  let offset = range.start;
  const stream = createReadStream(path, {
    start: range.start,
    end: range.end - 1,
    highWaterMark: 256 * 1024,
  });
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const last = bytes.lastIndexOf(newline);
    if (last === -1) {
      rest = bytes;
      continue;
    }
    offset += last + 1;
    rest = bytes.subarray(last + 1);
    yield { lines: bytes.subarray(0, last).toString("utf8").split("\n"), nextOffset: offset };
  }
}

/** Replaces a file atomically, mode 0600: after a crash it has the old or the new content. One writer at a time. */
export async function writeFileAtomically(path: string, content: string): Promise<void> {
  const draft = `${path}.new`;
  await writeFile(draft, content, { mode: 0o600, flush: true });
  await rename(draft, path);
}

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
        if (change === null) log.warn({ path }, "skipped an unreadable line of the simulator's data");
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

/** Returns the text of a file. Null if there is none. */
export async function readTextIfPresent(path: string): Promise<string | null> {
  return readFile(path, "utf8").catch(nullIfAbsent);
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(nullIfAbsent))?.size ?? 0;
}

function nullIfAbsent(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
