import { open, type FileHandle } from "node:fs/promises";

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
