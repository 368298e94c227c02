import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmod, mkdtemp, readdir, realpath, rm, stat } from "node:fs/promises";
import { connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream";
import type postgres from "postgres";
import { inject } from "vitest";
import type { TestProject } from "vitest/node";
import { createPool, migrateDatabase } from "@/db/client";
import { makeClockMovable, moveClock } from "@/db/movable-clock";
import { acquireDataDirectory, isDataDirectoryOwned, startEmbeddedPostgres } from "@/db/embedded";
import type { EmbeddedConnection, EmbeddedLog } from "@/db/embedded";
import { postgresAccount } from "@/db/embedded/account";
import { endPostgresOf, signal } from "@/db/embedded/processes";
import { prepareSocketDirectory, removeSocketDirectory } from "@/db/embedded/socket-directory";
import { readClusterState } from "@/db/embedded/state";

const DIRECTORY_PREFIX = "waypost-test-run-";
const TEMPLATE_DATABASE = "waypost_template";
const ABANDONED_AFTER_MS = 60_000;

declare module "vitest" {
  export interface ProvidedContext {
    testPostgres: EmbeddedConnection;
    testPostgresTcpPort: number;
    /** Directory for files that a worker keeps until the end of the run, which removes it. */
    testRunDirectory: string;
  }
}

/** A separate database, with the schema and no data. */
export interface TestDatabase {
  /** A value for DATABASE_URL, over TCP. */
  readonly url: string;
  readonly connection: EmbeddedConnection;
  /** A pool like the program's own, closed by `drop`. */
  readonly sql: postgres.Sql;
  /** Closes the pool, closes all other connections and removes the database. */
  drop(): Promise<void>;
}

let shared: Promise<TestDatabase> | undefined;

/**
 * Returns the database of all files that run in this process, for tests that only read their own rows. It remains until
 * the run ends: its `drop` does nothing.
 */
export function sharedTestDatabase(): Promise<TestDatabase> {
  shared ??= createTestDatabase().then((database) => ({ ...database, drop: async () => undefined }));
  return shared;
}

interface TestDatabaseOptions {
  /** For `setDatabaseClock`. */
  readonly isClockMovable?: boolean;
}

/** Clones the migrated template, for tests that read all rows of a table, or change more than rows. */
export const createTestDatabase = (options?: TestDatabaseOptions): Promise<TestDatabase> =>
  cloneDatabase(TEMPLATE_DATABASE, options);

/** A database without Waypost's schema, for tests of migrations. */
export const createEmptyDatabase = (): Promise<TestDatabase> => cloneDatabase("template0");

async function cloneDatabase(
  template: string,
  { isClockMovable = false }: TestDatabaseOptions = {},
): Promise<TestDatabase> {
  const server = inject("testPostgres");
  const database = `test_${randomBytes(6).toString("hex")}`;
  // Copying files takes a tenth of the time of the default, which logs every page of the template.
  await administer(
    server,
    (admin) => admin`CREATE DATABASE ${admin(database)} TEMPLATE ${admin(template)} STRATEGY file_copy`,
  );
  const connection = { ...server, database };
  if (isClockMovable) await makeClockMovable(connection);
  const sql = createPool(connection, { name: "test", connectionsMax: 10 });
  const drop = async () => {
    await sql.end({ timeout: 1 });
    await administer(server, (admin) => admin`DROP DATABASE ${admin(database)} WITH (FORCE)`);
  };
  const { user, password } = server;
  const url = `postgres://${user}:${password}@127.0.0.1:${inject("testPostgresTcpPort")}/${database}`;
  return { url, connection, sql, drop };
}

/** Sets the clock of a database that was created for this, for all of its sessions. 0 resets it. */
export const setDatabaseClock = moveClock;

/** vitest's global setup: one PostgreSQL for the whole run, with the migrated template. Returns the teardown. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await removeAbandonedRuns();
  const dataDir = await mkdtemp(join(await realpath(tmpdir()), DIRECTORY_PREFIX));
  // As root, the server runs as a user who must be able to access the directory.
  await chmod(dataDir, 0o711);
  const ownership = await acquireDataDirectory(dataDir, { kind: "cli" });
  const server = await startEmbeddedPostgres({
    dataDir,
    log: stderrLog,
    settings: { fsync: "off", synchronous_commit: "off", full_page_writes: "off", max_wal_size: "256MB" },
  });
  const entrance = await startTcpEntrance(server.connection);
  // A run that a signal ends has no time for more. The next run removes its directory.
  const endAtExit = () => {
    const pid = server.pid();
    if (pid !== null) signal(pid, "SIGINT");
  };
  process.once("exit", endAtExit);
  const teardown = async () => {
    process.off("exit", endAtExit);
    entrance.stop();
    await server.stop();
    await ownership.release();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    await administer(server.connection, (admin) => admin`CREATE DATABASE ${admin(TEMPLATE_DATABASE)}`);
    await migrateDatabase({ ...server.connection, database: TEMPLATE_DATABASE }, project.config.root);
    project.provide("testPostgres", server.connection);
    project.provide("testPostgresTcpPort", entrance.port);
    project.provide("testRunDirectory", dataDir);
  } catch (error) {
    await teardown();
    throw error;
  }
  return teardown;
}

/** A killed run leaves its server running, or its directory. The next run ends and removes them. */
async function removeAbandonedRuns(): Promise<void> {
  const parent = await realpath(tmpdir());
  for (const entry of await readdir(parent)) {
    if (!entry.startsWith(DIRECTORY_PREFIX)) continue;
    const dataDir = join(parent, entry);
    // Another run may have ended in the meantime.
    const seen = await stat(dataDir).catch(() => null);
    if (seen === null) continue;
    const isOurs = seen.uid === process.getuid?.() && Date.now() - seen.mtimeMs > ABANDONED_AFTER_MS;
    if (!isOurs || (await isDataDirectoryOwned(dataDir))) continue;
    const cluster = (await readClusterState(dataDir))?.cluster ?? join(dataDir, "postgres");
    await endPostgresOf(cluster);
    await removeSocketDirectory(await prepareSocketDirectory(dataDir, await postgresAccount(null)));
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function administer(
  server: EmbeddedConnection,
  work: (sql: postgres.Sql) => Promise<unknown>,
): Promise<void> {
  const sql = createPool({ ...server, database: "postgres" }, { name: "test-admin", connectionsMax: 1 });
  try {
    await work(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** Exposes the server's socket as a loopback port, because DATABASE_URL needs a host and a port. */
async function startTcpEntrance({ socketDirectory, port }: EmbeddedConnection) {
  const connections = new Set<Socket>();
  const entrance = createServer((client) => {
    const server = connect(join(socketDirectory, `.s.PGSQL.${port}`));
    for (const socket of [client, server]) {
      connections.add(socket);
      socket.on("close", () => connections.delete(socket));
    }
    pipeline(client, server, client, () => undefined);
  });
  entrance.listen(0, "127.0.0.1");
  await once(entrance, "listening");
  const stop = () => {
    entrance.close();
    for (const socket of connections) socket.destroy();
  };
  return { port: portOf(entrance), stop };
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The entrance listens on no TCP port");
  return address.port;
}

const write = (fields: object, message: string) =>
  void process.stderr.write(`${message} ${JSON.stringify(fields)}\n`);
const stderrLog: EmbeddedLog = { info: () => undefined, warn: write, error: write };
