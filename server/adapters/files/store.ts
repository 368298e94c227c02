import { createReadStream } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { absent, createStaging, namesIn, type Staging, type WrittenFile } from "./staging";

/** A received file that isn't linked to a row yet. */
export interface StagedFile extends WrittenFile {
  /** Stores the file under the id, durably and atomically. A file that is already stored under it is replaced. */
  keep(id: string): Promise<void>;
  /** Deletes the file, unless it was kept. */
  discard(): Promise<void>;
}

export interface StoredFile {
  readonly size: number;
  /** Opens the file again at each call. */
  read(): AsyncIterable<Uint8Array>;
}

/** Stores the bytes of files, by the id of their row (a UUID). */
export interface FileStore {
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
  /** @throws Error with the reason why no file can be received now, such as a directory that isn't writable. */
  requireWritable(): Promise<void>;
  /** Removes incomplete files that a crash left behind. */
  removeAbandoned(): Promise<void>;
}

/** The stores of a process. */
export interface FileStores {
  /** Files to send. */
  readonly uploads: FileStore;
  /** Files that customers sent. */
  readonly customerFiles: FileStore;
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Creates a store of files below the directory. The directory is created with the first file. */
export function createFileStore(directory: string, reserveBytes?: number): FileStore {
  return createFileStores(directory, reserveBytes).uploads;
}

/** Creates the stores of a process below the directory. They share its space for incoming files. */
export function createFileStores(directory: string, reserveBytes?: number): FileStores {
  const staging = createStaging(path.join(directory, "incoming"), reserveBytes);
  return {
    uploads: storeIn(staging, path.join(directory, "kept")),
    customerFiles: storeIn(staging, path.join(directory, "customers")),
  };
}

function storeIn(staging: Staging, kept: string): FileStore {
  const pathOf = (id: string) => path.join(kept, requireId(id));
  return {
    async stage(chunks, bytesMax) {
      const written = await staging.write(chunks, bytesMax, [kept]);
      return {
        ...written,
        async keep(id) {
          await rename(written.path, pathOf(id));
          await syncDirectory(kept);
        },
        discard: () => rm(written.path, { force: true }),
      };
    },
    async find(id) {
      const file = pathOf(id);
      const found = await stat(file).catch(absent);
      return found && { size: found.size, read: () => createReadStream(file) };
    },
    remove: async (id) => rm(pathOf(id), { force: true }),
    async *ids() {
      for await (const name of namesIn(kept)) if (isId(name)) yield name;
    },
    requireWritable: () => staging.requireWritable([kept]),
    removeAbandoned: () => staging.removeAbandoned(),
  };
}

/** Returns true if the text is the name of a stored file. */
export function isId(text: string): boolean {
  return ID.test(text);
}

/** @throws Error for text that could name another file. */
export function requireId(id: string): string {
  if (!isId(id)) throw new Error("Not the id of an upload");
  return id;
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
