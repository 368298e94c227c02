import { chmod, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { prepareCluster } from "@/db/embedded/cluster";
import type { EmbeddedLog } from "@/db/embedded/error";
import { launchPostmaster, type Postmaster, type Site } from "@/db/embedded/postmaster";
import { withConnection } from "@/db/embedded/probe";
import { endPostgresOf } from "@/db/embedded/processes";
import { postmasterArguments } from "@/db/embedded/settings";
import { freePort } from "./free-port";

export const POSTGRES_USER = "waypost";
const DATABASE = "waypost";

/** How PostgreSQL is stopped: like `pg_ctl stop -m fast` or `-m immediate`, or by `kill -9` of its postmaster. */
export type PostgresEnd = "fast" | "immediate" | "killed";

const SIGNALS = { fast: "SIGINT", immediate: "SIGQUIT", killed: "SIGKILL" } as const satisfies Record<
  PostgresEnd,
  NodeJS.Signals
>;

/** A PostgreSQL of the test's own, on a loopback port, with an empty database. */
export interface ExternalPostgres {
  /** A value for DATABASE_URL. */
  readonly url: string;
  readonly port: number;
  readonly password: string;
  /** Resolves when it has stopped and nothing responds on its port. */
  stop(how: PostgresEnd): Promise<void>;
  /** Restarts it on the same port and data, after `stop`. Resolves when it responds. */
  start(): Promise<void>;
  /** Stops it and removes its data. */
  close(): Promise<void>;
}

/** Creates a cluster with the embedded PostgreSQL's programs. */
export async function startExternalPostgres(): Promise<ExternalPostgres> {
  const directory = await mkdtemp(join(await realpath(tmpdir()), "waypost-postgres-"));
  // As root, the server runs as a different user, who needs access.
  await chmod(directory, 0o711);
  const cluster = await prepareCluster(directory, silent);
  const port = await freePort();
  const { password } = cluster;
  // The cluster's own directory is the one that its user may write to.
  const connection = {
    socketDirectory: cluster.path,
    port,
    user: POSTGRES_USER,
    password,
    database: DATABASE,
  };
  const settings = { fsync: "off", full_page_writes: "off", max_wal_size: "256MB" };
  const listening = ["-c", "listen_addresses=127.0.0.1", "-c", `port=${port}`];
  const site: Site = {
    cluster,
    connection,
    arguments: [...postmasterArguments(cluster.path, cluster.path, settings), ...listening],
    log: silent,
  };
  const start = () => launchPostmaster(site, new AbortController().signal);
  let postmaster: Postmaster = await start();
  await withConnection(connection, "postgres", (sql) => sql`create database ${sql(DATABASE)}`);
  return {
    url: `postgres://${POSTGRES_USER}:${password}@127.0.0.1:${port}/${DATABASE}`,
    port,
    password,
    async stop(how) {
      process.kill(postmaster.pid, SIGNALS[how]);
      await postmaster.ended;
      await endPostgresOf(cluster.path);
    },
    start: async () => void (postmaster = await start()),
    async close() {
      await postmaster.stop();
      await rm(directory, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

const silent: EmbeddedLog = { info: () => undefined, warn: () => undefined, error: () => undefined };
