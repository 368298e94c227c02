import type { Logger } from "pino";
import { migrateDatabase, type DatabaseAddress } from "@/db/client";
import {
  acquireDataDirectory,
  DataDirectoryInUse,
  isDataDirectoryOwned,
  readRunFile,
  startEmbeddedPostgres,
  writeRunFile,
  type RunFile,
} from "@/db/embedded";
import type { Config } from "../config";
import type { Services } from "../context";
import type { Jobs } from "../jobs";
import { ensureDataDirectory } from "../data-directory";
import { addressOfOwner } from "../process/owner-address";
import { loadOrCreateSecret } from "../secret-file";
import { openServices } from "../services";
import type { Closers } from "../closers";

/** What a command works with. */
export interface Attachment {
  readonly services: Services;
  /** Where the service is, or will be, reached. */
  readonly baseUrl: string;
  /** Null where no simulator runs. */
  readonly simulatorUrl: string | null;
}

interface AttachOptions {
  readonly config: Config;
  readonly log: Logger;
  /** Gets what has to be closed at the end, as soon as there is something. */
  readonly closers: Closers;
}

/** A command wakes nobody: whoever runs jobs looks for due rows by itself. */
const NO_JOBS: Jobs = { wakeChannel: () => undefined, wakeCallbacks: () => undefined };
const POOLS = { name: "cli", sql: 4, orm: 4, limits: 1 } as const;

/**
 * Reaches the database: that of `DATABASE_URL`; else that of the server which owns the data directory, as soon as it
 * runs; else this process owns the directory and runs PostgreSQL until `closers` are closed. Commands that own follow
 * one another. The database has this program's schema afterwards.
 * @throws DataDirectoryInUse, DatabaseTooNew, SecretMismatch, EmbeddedPostgresError
 */
export async function attach(options: AttachOptions): Promise<Attachment> {
  const { config, log } = options;
  log.debug("reaching the database");
  if (config.databaseUrl !== null) return attachToUrl(options, config.databaseUrl);
  await ensureDataDirectory(config.dataDir);
  try {
    await acquire(options);
  } catch (error) {
    if (error instanceof DataDirectoryInUse && error.owner) return attachToOwner(options, error.owner);
    throw error;
  }
  return ownDataDirectory(options);
}

/** While it waits for other commands nothing is held, so that an interruption ends it at once. */
async function acquire({ config, closers }: AttachOptions): Promise<void> {
  const ownership = await acquireDataDirectory(config.dataDir, { kind: "cli" });
  closers.add(() => ownership.release());
}

async function migrate({ config, closers }: AttachOptions, address: DatabaseAddress): Promise<void> {
  await closers.open(
    () => migrateDatabase(address, config.appRoot),
    () => Promise.resolve(),
  );
}

async function attachToUrl(options: AttachOptions, url: string): Promise<Attachment> {
  const { dataDir } = options.config;
  await migrate(options, { url });
  const run = (await isDataDirectoryOwned(dataDir)) ? await readRunFile(dataDir) : null;
  return open(options, { url }, run);
}

async function attachToOwner(options: AttachOptions, run: RunFile): Promise<Attachment> {
  const { dataDir } = options.config;
  return open(options, addressOfOwner(dataDir, run), run);
}

async function ownDataDirectory(options: AttachOptions): Promise<Attachment> {
  const { config, log, closers } = options;
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
  await migrate(options, connection);
  return open(options, connection, run);
}

async function open(
  options: AttachOptions,
  address: DatabaseAddress,
  run: RunFile | null,
): Promise<Attachment> {
  const { config, log, closers } = options;
  const simulatorUrl = config.simulator.url ?? run?.simulator_url ?? null;
  const secret = config.secret ?? (await loadOrCreateSecret(config.dataDir));
  const { services } = await closers.open(
    () =>
      openServices({
        config,
        address,
        secret,
        log,
        jobs: NO_JOBS,
        pools: POOLS,
        simulatorUrl: () => simulatorUrl,
      }),
    (opened) => opened.close(),
  );
  return {
    services,
    simulatorUrl,
    baseUrl: config.publicUrl ?? run?.base_url ?? `http://localhost:${config.port}`,
  };
}
