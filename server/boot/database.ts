import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import { addressOfUrl } from "@/db/address-of-url";
import type { DatabaseAddress } from "@/db/client";
import {
  acquireDataDirectory,
  type EmbeddedConnection,
  isDataDirectoryOwned,
  readRunFile,
  type RunFile,
  startEmbeddedPostgres,
} from "@/db/embedded";
import type { Closers } from "@/server/lib/closers";
import type { Config } from "@/server/platform/config";
import { ensureDataDirectory } from "@/server/platform/data-directory";
import { loadOrCreateSecret } from "@/server/platform/secrets/secret-file";
import { onceStarted } from "@/server/lib/once-started";
import { addressOfOwner } from "@/server/platform/database-address";

/** The database of this process, and its origin. */
export interface ProcessDatabase {
  readonly address: DatabaseAddress;
  readonly secret: string;
  /** Present if this process owns the data directory, and with it PostgreSQL, the simulator and the demo. */
  readonly owned: {
    readonly connection: EmbeddedConnection;
    /** Number of unexpected ends of PostgreSQL since the start. It was restarted after each. */
    readonly restarts: () => number;
  } | null;
  /** Present if this process attached to an owner: reads the owner's current run file. */
  readonly owner: () => Promise<RunFile | null>;
}

/**
 * Connects to the configured database: `DATABASE_URL`, or the database of the owner in `WAYPOST_ATTACH`, or else the
 * embedded one, which this process then owns.
 * @throws ConfigError, DataDirectoryInUse, EmbeddedPostgresError, NothingToAttachTo
 */
export async function openDatabase(config: Config, log: Logger, closers: Closers): Promise<ProcessDatabase> {
  if (config.databaseUrl !== null) {
    if (config.secret === null) throw new Error("WAYPOST_SECRET is required with DATABASE_URL");
    // It contains the uploads and the token for metrics.
    await ensureDataDirectory(config.dataDir);
    const { databaseUrl } = config;
    const address = await onceStarted(log, () => addressOfUrl(databaseUrl));
    if ("url" in address && address.isPrepared === false)
      log.info("the database is behind a connection pooler: statements are not prepared");
    return { address, secret: config.secret, owned: null, owner: async () => null };
  }
  return config.attachTo === null ? own(config, log, closers) : attach(config);
}

async function own(config: Config, log: Logger, closers: Closers): Promise<ProcessDatabase> {
  await ensureDataDirectory(config.dataDir);
  // While it waits for a command that owns the directory, it holds no resource, so that Ctrl-C ends it immediately.
  const ownership = await acquireDataDirectory(config.dataDir, { kind: "server" });
  closers.add(() => ownership.release());
  let restarts = 0;
  const onDown = () => void (restarts += 1);
  const postgres = await closers.open(
    () => startEmbeddedPostgres({ dataDir: config.dataDir, log: log.child({ part: "postgres" }), onDown }),
    (server) => server.stop(),
  );
  const secret = config.secret ?? (await loadOrCreateSecret(config.dataDir));
  const { connection } = postgres;
  return {
    address: connection,
    secret,
    owned: { connection, restarts: () => restarts },
    owner: async () => null,
  };
}

/** No Waypost is running in the directory. */
export class NothingToAttachTo extends Error {
  constructor(dataDir: string) {
    super(`WAYPOST_ATTACH: no running Waypost owns ${dataDir}. Start one there first.`);
    this.name = "NothingToAttachTo";
  }
}

const OWNER_WAIT_MS = 60_000;
const POLL_EVERY_MS = 100;

async function attach(config: Config): Promise<ProcessDatabase> {
  const run = await waitForOwner(config.dataDir);
  const owner = async () => (await readRunFile(config.dataDir)) ?? run;
  const secret = config.secret ?? (await loadOrCreateSecret(config.dataDir));
  return { address: addressOfOwner(config.dataDir, run), secret, owned: null, owner };
}

/**
 * Returns the run file of the server that owns the directory. Waits while one is starting. @throws NothingToAttachTo
 */
async function waitForOwner(dataDir: string): Promise<RunFile> {
  for (
    const endsAt = performance.now() + OWNER_WAIT_MS;
    performance.now() < endsAt;
    await pause(POLL_EVERY_MS)
  ) {
    if (!(await isDataDirectoryOwned(dataDir))) break;
    const run = await readRunFile(dataDir);
    if (run?.kind === "server") return run;
  }
  throw new NothingToAttachTo(dataDir);
}
