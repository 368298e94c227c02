import type { Logger } from "pino";
import { addressForOnce } from "@/db/address-of-url";
import type { DatabaseAddress } from "@/db/client";
import {
  acquireDataDirectory,
  DataDirectoryInUse,
  isDataDirectoryOwned,
  readRunFile,
  startEmbeddedPostgres,
  writeRunFile,
  type RunFile,
} from "@/db/embedded";
import type { Closers } from "@/server/lib/closers";
import type { Config } from "@/server/platform/config";
import { ensureDataDirectory } from "@/server/platform/data-directory";
import { addressOfOwner } from "@/server/platform/database-address";

export interface Surroundings {
  readonly config: Config;
  readonly log: Logger;
  /** Receives each resource that must be closed at the end, as soon as it is opened. */
  readonly closers: Closers;
}

/** A database that a command can work on, and its origin. */
export interface ReachedDatabase {
  readonly address: DatabaseAddress;
  /** `url`: that of DATABASE_URL; `server`: that of a running server; `own`: PostgreSQL runs for this command only. */
  readonly via: "url" | "server" | "own";
  /** The run file of the data directory's owner. Null if none is known. */
  readonly run: RunFile | null;
}

/**
 * Connects to the database: that of `DATABASE_URL`, or that of the server which owns the data directory, as soon as it
 * runs. Otherwise this process owns the directory and runs PostgreSQL until `closers` are closed. Commands that own the
 * directory run one after another. It changes nothing in the database, and doesn't check whether it responds.
 * @param ownerWaitMs time to wait for an owner that hasn't published its address. Defaults to a minute.
 * @throws DataDirectoryInUse, EmbeddedPostgresError, ConfigError
 */
export async function reachDatabase(
  surroundings: Surroundings,
  ownerWaitMs?: number,
): Promise<ReachedDatabase> {
  const { config, log } = surroundings;
  log.debug("reaching the database");
  if (config.databaseUrl !== null) {
    const run = (await isDataDirectoryOwned(config.dataDir)) ? await readRunFile(config.dataDir) : null;
    return { address: addressForOnce(config.databaseUrl), via: "url", run };
  }
  await ensureDataDirectory(config.dataDir);
  try {
    await acquire(surroundings, ownerWaitMs);
  } catch (error) {
    if (!(error instanceof DataDirectoryInUse) || error.owner === null) throw error;
    return { address: addressOfOwner(config.dataDir, error.owner), via: "server", run: error.owner };
  }
  return ownDataDirectory(surroundings);
}

/** While it waits for other commands, it holds no resource, so that an interruption ends it immediately. */
async function acquire({ config, closers }: Surroundings, waitMs: number | undefined): Promise<void> {
  const ownership = await acquireDataDirectory(config.dataDir, { kind: "cli", waitMs });
  closers.add(() => ownership.release());
}

async function ownDataDirectory({ config, log, closers }: Surroundings): Promise<ReachedDatabase> {
  const { connection } = await closers.open(
    () => startEmbeddedPostgres({ dataDir: config.dataDir, log }),
    (server) => server.stop(),
  );
  const run: RunFile = {
    kind: "cli",
    pid: process.pid,
    postgres: connection,
    base_url: null,
    simulator_url: null,
    started_at: new Date().toISOString(),
  };
  await writeRunFile(config.dataDir, run);
  return { address: connection, via: "own", run };
}
