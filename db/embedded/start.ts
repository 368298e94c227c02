import { realpath } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { prepareCluster, SUPERUSER } from "@/db/embedded/cluster";
import { EmbeddedPostgresError, type EmbeddedLog } from "@/db/embedded/error";
import { isDataDirectoryOwnedByUs } from "@/db/embedded/ownership";
import { launchPostmaster, type Postmaster, type Site } from "@/db/embedded/postmaster";
import { withConnection } from "@/db/embedded/probe";
import type { EmbeddedConnection } from "@/db/embedded/run-file";
import { postmasterArguments, SOCKET_PORT } from "@/db/embedded/settings";
import { prepareSocketDirectory, removeSocketDirectory } from "@/db/embedded/socket-directory";

const DATABASE = "waypost";
const RESTART_DELAY_MIN_MS = 200;
const RESTART_DELAY_MAX_MS = 5_000;
/** If a server has run this long, its end wasn't caused by its start, and the next delay is the shortest again. */
const STABLE_AFTER_MS = 30_000;

export interface EmbeddedPostgresOptions {
  /** Must be owned by this process: call `acquireDataDirectory` first. */
  dataDir: string;
  log: EmbeddedLog;
  /** Called when the server has ended without `stop()`. It is being restarted. */
  onDown?(): void;
  /** Called when it accepts connections again, with the same parameters. */
  onUp?(): void;
  /** Settings of postgresql.conf that take priority over ours. */
  settings?: Record<string, string>;
}

export interface EmbeddedPostgres {
  readonly connection: EmbeddedConnection;
  /** The postmaster's process id. Null while there is none. */
  pid(): number | null;
  /** Ends supervision and server, and resolves when none of its processes is left. Can be called twice. */
  stop(): Promise<void>;
}

/**
 * Runs PostgreSQL in the data directory until `stop()`: creates the cluster on the first start, adopts a server that a
 * killed Waypost process left running, and restarts after every unexpected end, without a limit, at intervals of 0.2 s
 * to 5 s. Resolves when the server accepts connections. The first start isn't retried: it throws EmbeddedPostgresError,
 * which says what to do. If the process ends without `stop()`, the server keeps running for the next start.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir, log } = options;
  if (!(await isDataDirectoryOwnedByUs(dataDir))) {
    throw new Error(`${dataDir} isn't owned by this process: acquireDataDirectory comes first`);
  }
  const cluster = await prepareCluster(dataDir, log);
  const socketDirectory = await prepareSocketDirectory(await realpath(dataDir), cluster.account);
  const { password } = cluster;
  const connection = { socketDirectory, port: SOCKET_PORT, user: SUPERUSER, password, database: DATABASE };
  const args = postmasterArguments(cluster.path, socketDirectory, options.settings ?? {});
  const site: Site = { cluster, connection, arguments: args, log };
  const first = await launchFirst(site);
  log.info({ pid: first.pid, socket_directory: socketDirectory }, "PostgreSQL is running");
  return supervise(site, first, options);
}

async function launchFirst(site: Site): Promise<Postmaster> {
  let launched: Postmaster | undefined;
  try {
    launched = await launchPostmaster(site, new AbortController().signal);
    await createDatabase(site.connection);
    return launched;
  } catch (error) {
    await launched?.stop();
    await removeSocketDirectory(site.connection.socketDirectory);
    throw error;
  }
}

function supervise(site: Site, first: Postmaster, options: EmbeddedPostgresOptions): EmbeddedPostgres {
  const { log, connection } = site;
  const stopping = new AbortController();
  let current: Postmaster | null = first;

  const restart = async (attempt: number): Promise<{ postmaster: Postmaster; attempt: number } | null> => {
    for (; ; attempt++) {
      const pauseMs = Math.min(RESTART_DELAY_MIN_MS * 2 ** Math.min(attempt, 10), RESTART_DELAY_MAX_MS);
      await delay(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return null;
      try {
        const socketDirectory = await prepareSocketDirectory(options.dataDir, site.cluster.account);
        if (socketDirectory !== connection.socketDirectory) {
          throw new EmbeddedPostgresError(`The socket directory has moved to ${socketDirectory}`);
        }
        return { postmaster: await launchPostmaster(site, stopping.signal), attempt };
      } catch (error) {
        if (!stopping.signal.aborted) log.error({ err: error, attempt }, "restarting PostgreSQL failed");
      }
    }
  };

  const watch = async (): Promise<void> => {
    for (let postmaster = first, attempt = 0; ;) {
      const sinceMs = performance.now();
      const cause = await postmaster.ended;
      if (stopping.signal.aborted) return;
      current = null;
      log.error({ pid: postmaster.pid, cause }, "PostgreSQL has ended unexpectedly; restarting it");
      options.onDown?.();
      const next = await restart(performance.now() - sinceMs > STABLE_AFTER_MS ? 0 : attempt);
      if (next === null) return;
      postmaster = current = next.postmaster;
      attempt = next.attempt + 1;
      log.info({ pid: postmaster.pid }, "PostgreSQL is running again");
      options.onUp?.();
    }
  };

  const watching = watch();
  const stop = async (): Promise<void> => {
    stopping.abort();
    await current?.stop();
    await watching;
    await current?.stop();
    current = null;
    await removeSocketDirectory(connection.socketDirectory);
  };
  let stopped: Promise<void> | undefined;
  return { connection, pid: () => current?.pid ?? null, stop: () => (stopped ??= stop()) };
}

async function createDatabase(connection: EmbeddedConnection): Promise<void> {
  await withConnection(connection, "postgres", async (sql) => {
    const found = await sql`SELECT 1 FROM pg_database WHERE datname = ${DATABASE}`;
    if (found.length === 0) await sql`CREATE DATABASE ${sql(DATABASE)}`;
  });
}
