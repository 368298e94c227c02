import { createHash, randomUUID } from "node:crypto";
import { createReadStream, type ReadStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";

/** A file that has arrived, and belongs to no media id yet. */
export interface DraftFile {
  readonly path: string;
  readonly bytes: number;
  /** In hex. */
  readonly sha256: string;
}

/** The bytes of media, one file for each id, in `media/`. Mode 0600. */
export class MediaFiles {
  readonly #directory: string;

  private constructor(directory: string) {
    this.#directory = directory;
  }

  /** Deletes every file that isn't of one of these ids. */
  static async open(directory: string, ids: ReadonlySet<string>): Promise<MediaFiles> {
    const path = join(directory, "media");
    await mkdir(path, { recursive: true, mode: 0o700 });
    const foreign = (await readdir(path)).filter((name) => !ids.has(name));
    await Promise.all(foreign.map((name) => rm(join(path, name), { force: true })));
    return new MediaFiles(path);
  }

  /** Writes the bytes as they arrive. Null if they are more than `bytesMax`. */
  async write(chunks: AsyncIterable<Buffer> | Iterable<Buffer>, bytesMax: number): Promise<DraftFile | null> {
    const path = join(this.#directory, `${randomUUID()}.new`);
    const hash = createHash("sha256");
    let bytes = 0;
    let isWhole = false;
    const handle = await open(path, "wx", 0o600);
    try {
      for await (const chunk of chunks) {
        bytes += chunk.length;
        if (bytes > bytesMax) return null;
        hash.update(chunk);
        await handle.writeFile(chunk);
      }
      isWhole = true;
    } finally {
      await handle.close();
      if (!isWhole) await rm(path, { force: true });
    }
    return { path, bytes, sha256: hash.digest("hex") };
  }

  /** Returns the first bytes of a file that no id has got. */
  async beginningOf({ path }: DraftFile, bytesMax: number): Promise<Buffer> {
    const handle = await open(path, "r");
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytesMax), 0, bytesMax, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  }

  /** Gives the file to a media id. */
  keep({ path }: DraftFile, id: string): Promise<void> {
    return rename(path, join(this.#directory, id));
  }

  /** Deletes a file that no id has got. */
  discard({ path }: DraftFile): Promise<void> {
    return rm(path, { force: true });
  }

  delete(id: string): Promise<void> {
    return rm(join(this.#directory, id), { force: true });
  }

  /** Null if there is no file of this id. */
  async read(id: string): Promise<ReadStream | null> {
    const path = join(this.#directory, id);
    const isThere = await stat(path).then(
      () => true,
      () => false,
    );
    return isThere ? createReadStream(path) : null;
  }
}
