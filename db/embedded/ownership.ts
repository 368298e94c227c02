import { chmod, mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { errorCode } from "@/db/embedded/files";
import { ownershipSocketOf, type OwnerGreeting } from "@/db/embedded/ownership-socket";
import { readRunFile, removeRunFile, type OwnerKind, type RunFile } from "@/db/embedded/run-file";

const WAIT_MS = 60_000;
const RUN_FILE_POLL_MS = 100;
const GONE_AGAIN_MS = 10;

/** Another running process owns the data directory. `owner` says how to reach it. Null if it hasn't published that. */
export class DataDirectoryInUse extends Error {
  override readonly name = "DataDirectoryInUse";
  constructor(
    readonly dataDir: string,
    readonly owner: RunFile | null,
    greeting: OwnerGreeting | null,
  ) {
    const who = greeting
      ? `another Waypost ${greeting.kind} (process ${greeting.pid})`
      : "another process, which doesn't answer";
    super(
      `The data directory ${dataDir} is in use by ${who}${owner?.base_url ? ` at ${owner.base_url}` : ""}`,
    );
  }
}

export interface DataDirectoryOwnership {
  /** Removes `run.json` and releases the directory. Can be called twice. */
  release(): Promise<void>;
}

/**
 * Makes this process the only owner of the data directory, which is created if absent. Of any number of concurrent
 * callers, exactly one succeeds. The ownership ends with `release()` or with the process, however it dies, and nothing
 * remains to clean up. A `run.json` of a former owner is removed.
 *
 * Kind "server" waits up to `waitMs` (60 s) while a command is the owner, and throws DataDirectoryInUse immediately if
 * a server is. Kind "cli" waits up to `waitMs` while another command is the owner or a server is still starting, and
 * throws DataDirectoryInUse, with the `owner` to attach to, once a server has published its run.json.
 */
export async function acquireDataDirectory(
  dataDir: string,
  { kind, waitMs = WAIT_MS }: { kind: OwnerKind; waitMs?: number },
): Promise<DataDirectoryOwnership> {
  await createDataDirectory(dataDir);
  const socket = await ownershipSocketOf(dataDir);
  const deadlineMs = performance.now() + waitMs;
  for (;;) {
    const letGo = await socket.claim({ kind, pid: process.pid });
    if (letGo !== null) return ownershipOf(dataDir, letGo);

    const living = await socket.ask();
    if (living === null) {
      await delay(GONE_AGAIN_MS);
      continue;
    }
    try {
      const owner = await runFileOf(dataDir, living.greeting);
      const isServer = living.greeting?.kind === "server";
      const remainingMs = deadlineMs - performance.now();
      if ((isServer && (kind === "server" || owner !== null)) || remainingMs <= 0) {
        throw new DataDirectoryInUse(resolve(dataDir), owner, living.greeting);
      }
      await waitFor(living.gone, Math.min(RUN_FILE_POLL_MS, remainingMs));
    } finally {
      living.hangUp();
    }
  }
}

/** Returns true if a running process owns the data directory now. False for a directory that doesn't exist. */
export async function isDataDirectoryOwned(dataDir: string): Promise<boolean> {
  return (await greetingOf(dataDir)) !== undefined;
}

/** Returns true if this process owns the data directory. */
export async function isDataDirectoryOwnedByUs(dataDir: string): Promise<boolean> {
  return (await greetingOf(dataDir))?.pid === process.pid;
}

/** Returns the owner's greeting. Null if it sends none, undefined if there is no owner. */
async function greetingOf(dataDir: string): Promise<OwnerGreeting | null | undefined> {
  try {
    const living = await (await ownershipSocketOf(dataDir)).ask();
    living?.hangUp();
    return living?.greeting;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

async function ownershipOf(dataDir: string, letGo: () => Promise<void>): Promise<DataDirectoryOwnership> {
  await removeRunFile(dataDir);
  const release = async () => {
    try {
      await removeRunFile(dataDir);
    } finally {
      await letGo();
    }
  };
  let released: Promise<void> | undefined;
  return { release: () => (released ??= release()) };
}

/** Returns the run file if the current owner wrote it. One of a former owner doesn't count. */
async function runFileOf(dataDir: string, greeting: OwnerGreeting | null): Promise<RunFile | null> {
  const run = await readRunFile(dataDir);
  return run !== null && run.pid === greeting?.pid ? run : null;
}

async function createDataDirectory(dataDir: string): Promise<void> {
  const created = await mkdir(dataDir, { recursive: true });
  // If this process is root, PostgreSQL runs as another user, who must be able to traverse the directory whatever the
  // umask is. Its files are 0600 each.
  if (created !== undefined) await chmod(dataDir, process.getuid?.() === 0 ? 0o711 : 0o700);
}

async function waitFor(event: Promise<void>, timeoutMs: number): Promise<void> {
  const timer = new AbortController();
  await Promise.race([event, delay(timeoutMs, undefined, { signal: timer.signal }).catch(() => undefined)]);
  timer.abort();
}
