import { createHash } from "node:crypto";
import { constants, createReadStream } from "node:fs";
import { access, mkdir, open, opendir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { newId } from "@/db/schema";
import { WaypostError } from "@/server/platform/errors";
import { freeBytesOf } from "@/db/free-bytes";

/** A received file that isn't linked to an upload yet. */
export interface StagedFile {
  /** Path on this machine's disk. */
  readonly path: string;
  readonly size: number;
  /** In hex. */
  readonly sha256: string;
  /** Stores the file under the id, durably and atomically. */
  keep(id: string): Promise<void>;
  /** Deletes the file, unless it was kept. */
  discard(): Promise<void>;
}

export interface StoredFile {
  readonly size: number;
  /** Opens the file again at each call. */
  read(): AsyncIterable<Uint8Array>;
}

/** Stores the bytes of uploads, by the upload's id (a UUIDv7). */
export interface UploadStore {
  /**
   * Receives a file in chunks. If `chunks` throws, nothing of it remains.
   * @param bytesMax maximum size. This space is reserved until the file is complete.
   * @throws WaypostError `unavailable` if there is no space for it in addition to all other incoming files, or if there
   * are too many of these; any error that `chunks` throws.
   */
  stage(chunks: AsyncIterable<Uint8Array>, bytesMax: number): Promise<StagedFile>;
  /** Null if this store doesn't have the file. */
  find(id: string): Promise<StoredFile | null>;
  /** Does nothing if the file doesn't exist. */
  remove(id: string): Promise<void>;
  /** The stored ids, in no particular order. */
  ids(): AsyncIterable<string>;
  /**
   * @throws Error with the reason why no file can be received now: the directory isn't writable, or there is no space.
   */
  requireWritable(): Promise<void>;
  /** Removes incomplete files that a crash left behind. */
  removeAbandoned(): Promise<void>;
}

/** Reserved on the disk for PostgreSQL, which shares it by default. */
const RESERVE_BYTES = 512 * 1024 * 1024;
/** Maximum number of concurrent incoming files. Each holds a descriptor and its reserved space. */
const INCOMING_MAX = 64;
const NO_ROOM = new Set(["ENOSPC", "EDQUOT"]);
const RETRY_AFTER_SECONDS = "60";
/** Longer than the time limit for receiving any file. */
const ABANDONED_AFTER_MS = 60 * 60_000;
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Creates a store of files below the directory. The directory is created with the first file. */
export function createFileStore(directory: string, reserveBytes: number = RESERVE_BYTES): UploadStore {
  /** Outstanding bytes of each incoming file. */
  const outstanding = new Map<string, number>();
  const incoming = path.join(directory, "incoming");
  const kept = path.join(directory, "kept");
  const pathOf = (id: string) => pathIn(kept, id);
  async function takeIn(staged: string, chunks: AsyncIterable<Uint8Array>) {
    await makeDirectories([incoming, kept]);
    const awaited = [...outstanding.values()].reduce((sum, bytes) => sum + bytes, reserveBytes);
    await requireRoom(incoming, awaited);
    return write(staged, chunks, (bytes) =>
      outstanding.set(staged, Math.max(0, (outstanding.get(staged) ?? 0) - bytes)),
    );
  }
  return {
    async stage(chunks, bytesMax) {
      if (outstanding.size >= INCOMING_MAX) throw noRoom(new Error("Too many files are on their way in"));
      const staged = path.join(incoming, newId());
      // Counted before the disk is checked, so that no two files reserve the same space.
      outstanding.set(staged, bytesMax);
      const written = await takeIn(staged, chunks).finally(() => outstanding.delete(staged));
      return {
        path: staged,
        ...written,
        async keep(id) {
          await rename(staged, pathOf(id));
          await syncDirectory(kept);
        },
        discard: () => rm(staged, { force: true }),
      };
    },
    async find(id) {
      const file = pathOf(id);
      const found = await stat(file).catch(absent);
      return found && { size: found.size, read: () => createReadStream(file) };
    },
    remove: async (id) => rm(pathOf(id), { force: true }),
    async *ids() {
      for await (const name of namesIn(kept)) if (ID.test(name)) yield name;
    },
    requireWritable: () => requireWritable([incoming, kept], reserveBytes),
    async removeAbandoned() {
      for await (const name of namesIn(incoming)) {
        const file = path.join(incoming, name);
        const found = await stat(file).catch(absent);
        if (found && Date.now() - found.mtimeMs > ABANDONED_AFTER_MS) await rm(file, { force: true });
      }
    },
  };
}

function pathIn(directory: string, id: string): string {
  if (!ID.test(id)) throw new Error("Not the id of an upload");
  return path.join(directory, id);
}

/** Writes a file. When it resolves, the file is on disk; when it rejects, the file is deleted. */
async function write(file: string, chunks: AsyncIterable<Uint8Array>, arrived: (bytes: number) => void) {
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
  return { size, sha256: hash.digest("hex") };
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

function noRoom(cause: unknown): WaypostError {
  return new WaypostError("unavailable", { cause, headers: { "Retry-After": RETRY_AFTER_SECONDS } });
}

/** Makes a rename survive a power failure. Windows can't open a directory, and needs no more than the rename. */
async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(directory, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function* namesIn(directory: string): AsyncGenerator<string> {
  const entries = await opendir(directory).catch(absent);
  if (entries === null) return;
  for await (const entry of entries) if (entry.isFile()) yield entry.name;
}

function absent(error: unknown): null {
  if (codeOf(error) === "ENOENT") return null;
  throw error;
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
