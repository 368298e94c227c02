import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { access, mkdir, open, opendir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { newId } from "@/db/schema";
import { WaypostError } from "@/server/platform/errors";
import { freeBytesOf } from "@/db/free-bytes";

/** A complete file on this machine's disk that no store has taken over yet. */
export interface WrittenFile {
  readonly path: string;
  readonly size: number;
  /** In hex. */
  readonly sha256: string;
}

/** The directory for incoming files. All stores of a process share it, so that they count the same space. */
export interface Staging {
  /**
   * Writes a file in chunks. If `chunks` throws, nothing of it remains.
   * @param bytesMax maximum size. This space is reserved until the file is complete.
   * @param directories further directories that must exist.
   * @throws WaypostError `unavailable` if there is no space for it in addition to all other incoming files, or if there
   * are too many of these; any error that `chunks` throws.
   */
  write(
    chunks: AsyncIterable<Uint8Array>,
    bytesMax: number,
    directories?: readonly string[],
  ): Promise<WrittenFile>;
  /** @throws Error if no file can be written now. */
  requireWritable(directories?: readonly string[]): Promise<void>;
  /** Removes incomplete files that a crash left behind. */
  removeAbandoned(): Promise<void>;
}

/** Reserved on the disk for PostgreSQL, which shares it by default. */
const RESERVE_BYTES = 512 * 1024 * 1024;
/** Maximum number of concurrent incoming files. Each holds a descriptor and its reserved space. */
const INCOMING_MAX = 64;
const NO_ROOM = new Set(["ENOSPC", "EDQUOT"]);
export const RETRY_AFTER_SECONDS = "60";
/** Longer than the time limit for receiving any file. */
const ABANDONED_AFTER_MS = 60 * 60_000;

/** The directory is created with the first file. */
export function createStaging(incoming: string, reserveBytes: number = RESERVE_BYTES): Staging {
  /** Outstanding bytes of each incoming file. */
  const outstanding = new Map<string, number>();
  async function takeIn(
    staged: string,
    chunks: AsyncIterable<Uint8Array>,
    directories: readonly string[],
  ): Promise<WrittenFile> {
    await makeDirectories([incoming, ...directories]);
    const awaited = [...outstanding.values()].reduce((sum, bytes) => sum + bytes, reserveBytes);
    await requireRoom(incoming, awaited);
    return write(staged, chunks, (bytes) =>
      outstanding.set(staged, Math.max(0, (outstanding.get(staged) ?? 0) - bytes)),
    );
  }
  return {
    async write(chunks, bytesMax, directories = []) {
      if (outstanding.size >= INCOMING_MAX) throw noRoom(new Error("Too many files are on their way in"));
      const staged = path.join(incoming, newId());
      // Counted before the disk is checked, so that no two files reserve the same space.
      outstanding.set(staged, bytesMax);
      return takeIn(staged, chunks, directories).finally(() => outstanding.delete(staged));
    },
    requireWritable: (directories = []) => requireWritable([incoming, ...directories], reserveBytes),
    async removeAbandoned() {
      for await (const name of namesIn(incoming)) {
        const file = path.join(incoming, name);
        const found = await stat(file).catch(absent);
        if (found && Date.now() - found.mtimeMs > ABANDONED_AFTER_MS) await rm(file, { force: true });
      }
    },
  };
}

/** Writes a file. When it resolves, the file is on disk; when it rejects, the file is deleted. */
async function write(
  file: string,
  chunks: AsyncIterable<Uint8Array>,
  arrived: (bytes: number) => void,
): Promise<WrittenFile> {
  const hash = createHash("sha256");
  let size = 0;
  const handle = await open(file, "wx", 0o600);
  try {
    for await (const chunk of chunks) {
      await handle.appendFile(chunk);
      hash.update(chunk);
      size += chunk.byteLength;
      arrived(chunk.byteLength);
    }
    await handle.sync();
  } catch (error) {
    await handle.close();
    await rm(file, { force: true });
    throw NO_ROOM.has(codeOf(error)) ? noRoom(error) : error;
  }
  await handle.close();
  return { path: file, size, sha256: hash.digest("hex") };
}

async function makeDirectories(directories: readonly string[]): Promise<void> {
  for (const directory of directories) await mkdir(directory, { recursive: true, mode: 0o700 });
}

/** @throws Error if files can't be created in one of the directories with that much free space. */
async function requireWritable(directories: readonly string[], reserveBytes: number): Promise<void> {
  await makeDirectories(directories);
  for (const directory of directories) {
    await access(directory, constants.W_OK | constants.X_OK);
    await requireRoom(directory, reserveBytes);
  }
}

async function requireRoom(directory: string, bytes: number): Promise<void> {
  if ((await freeBytesOf(directory)) < bytes) throw noRoom(new Error(`Less than ${bytes} bytes are free`));
}

/** The error for a file that can't be stored now. */
function noRoom(cause: unknown): WaypostError {
  const message = "There is no room for files now.";
  return new WaypostError("unavailable", { message, cause, headers: { "Retry-After": RETRY_AFTER_SECONDS } });
}

/** Yields the names of the files in a directory. None if it doesn't exist. */
export async function* namesIn(directory: string): AsyncGenerator<string> {
  const entries = await opendir(directory).catch(absent);
  if (entries === null) return;
  for await (const entry of entries) if (entry.isFile()) yield entry.name;
}

/** Returns null for the error of a file that doesn't exist. @throws any other error. */
export function absent(error: unknown): null {
  if (codeOf(error) === "ENOENT") return null;
  throw error;
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
