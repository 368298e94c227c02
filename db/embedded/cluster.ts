import { randomBytes } from "node:crypto";
import { chown, mkdir, readdir, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { blockingDirectory, postgresAccount, type Account } from "@/db/embedded/account";
import { binariesPackage, preparePostgresBinaries, type PostgresBinaries } from "@/db/embedded/binaries";
import { assertNotACopy, prepareOutsideHome } from "@/db/embedded/cluster-home";
import { runAs } from "@/db/embedded/command";
import { EmbeddedPostgresError, type EmbeddedLog } from "@/db/embedded/error";
import { readFileIfPresent, syncDirectory } from "@/db/embedded/files";
import {
  clusterStatePath,
  newClusterState,
  readClusterState,
  writeClusterState,
  type ClusterState,
} from "@/db/embedded/state";
import { freeBytesOf } from "@/db/free-bytes";

const INITDB_TIMEOUT_MS = 120_000;
const MIB = 1024 * 1024;
/** A new cluster and the binaries take about 150 MiB, and the first gigabyte of WAL follows soon. */
const FIRST_START_MIB = 512;
export const SUPERUSER = "waypost";

type FreeBytes = (directory: string) => Promise<number>;

/** An initialized cluster of the right major version, and the data needed to run it. */
export interface Cluster {
  /** PostgreSQL's data directory, with symbolic links resolved. */
  readonly path: string;
  /** Next to the cluster; writable by this process and accessible to the account. */
  readonly home: string;
  readonly account: Account;
  readonly binaries: PostgresBinaries;
  readonly password: string;
}

/**
 * Returns the cluster of a data directory, and creates it if there has never been one. Never replaces an existing one:
 * if it is lost, foreign or of another PostgreSQL major version, it reports that and changes nothing
 * (EmbeddedPostgresError).
 */
export async function prepareCluster(
  givenDataDir: string,
  log: EmbeddedLog,
  freeBytes: FreeBytes = freeBytesOf,
): Promise<Cluster> {
  const dataDir = await realpath(givenDataDir);
  const state = await readClusterState(dataDir);
  if (state === null && (await versionOf(join(dataDir, "postgres"))) !== null) {
    throw new EmbeddedPostgresError(
      `${join(dataDir, "postgres")} holds a database, but ${clusterStatePath(dataDir)} with its password is gone: ` +
        "restore that file, or move the directory away to begin with an empty database",
    );
  }
  if (state?.initialized_at) return openCluster(dataDir, state, log);
  return createCluster(dataDir, { found: state, log, freeBytes });
}

async function openCluster(dataDir: string, state: ClusterState, log: EmbeddedLog): Promise<Cluster> {
  const path = state.cluster ?? join(dataDir, "postgres");
  const version = await versionOf(path);
  if (version === null) {
    throw new EmbeddedPostgresError(
      `The database of ${dataDir} was in ${path} and is gone: restore it, or remove ${clusterStatePath(dataDir)} ` +
        "to begin with an empty one",
    );
  }
  const home = dirname(path);
  if (state.cluster !== null) await assertNotACopy(dataDir, home, state.id);
  const account = await postgresAccount(path);
  await assertUsable(path, account);
  const binaries = await preparePostgresBinaries(binariesPackage(), home, account, log);
  if (version !== String(binaries.major)) {
    throw new EmbeddedPostgresError(
      `${path} is a database of PostgreSQL ${version}, and this program brings PostgreSQL ${binaries.major}. ` +
        "It was left alone: dump it with its own version and restore it, or run that version and set DATABASE_URL",
    );
  }
  return { path, home, account, binaries, password: state.password };
}

async function createCluster(
  dataDir: string,
  { found, log, freeBytes }: { found: ClusterState | null; log: EmbeddedLog; freeBytes: FreeBytes },
): Promise<Cluster> {
  const account = await postgresAccount(null);
  const draft = found ?? newClusterState();
  const blocking = await blockingDirectory(dataDir, account);
  const home = blocking === null ? dataDir : await prepareOutsideHome(dataDir, draft.id, account);
  await assertRoom(home, freeBytes);
  const path = join(home, "postgres");
  const state: ClusterState = { ...draft, cluster: blocking === null ? null : path };
  if (blocking !== null) {
    log.warn(
      { cluster: path },
      `PostgreSQL runs as ${account.name}, which has no access to ${blocking}: the database is in ${home}`,
    );
  }
  await writeClusterState(dataDir, state);
  const binaries = await preparePostgresBinaries(binariesPackage(), home, account, log);
  const cluster: Cluster = { path, home, account, binaries, password: state.password };
  if ((await versionOf(path)) === null) await initializeCluster(cluster);
  await writeClusterState(dataDir, { ...state, initialized_at: new Date().toISOString() });
  return cluster;
}

/**
 * Checks the free space before anything is created. PostgreSQL's own message for a full disk comes late, and names none
 * of our directories.
 */
async function assertRoom(directory: string, freeBytes: FreeBytes): Promise<void> {
  const free = await freeBytes(directory);
  if (free >= FIRST_START_MIB * MIB) return;
  throw new EmbeddedPostgresError(
    `${directory} has ${Math.floor(free / MIB)} MiB of free space, and a first start needs ${FIRST_START_MIB} MiB. ` +
      "Free some space, set WAYPOST_DATA_DIR to a directory on a larger disk, or set DATABASE_URL",
  );
}

/** Runs initdb in a temporary directory, which is renamed to the cluster's name when it is complete. */
async function initializeCluster({ path, home, account, binaries, password }: Cluster): Promise<void> {
  for (const entry of await readdir(home)) {
    if (entry.startsWith("postgres.new-")) await rm(join(home, entry), { recursive: true, force: true });
  }
  const workshop = `${path}.new-${randomBytes(4).toString("hex")}`;
  const passwordFile = join(workshop, "password");
  const unfinished = join(workshop, "postgres");
  await mkdir(workshop, { mode: 0o700 });
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  await chownAsRoot(passwordFile, account);
  await chownAsRoot(workshop, account);
  const options = [
    `--pgdata=${unfinished}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
  ];
  try {
    await runAs(account, binaries.initdb, options, INITDB_TIMEOUT_MS).catch((error: unknown) => {
      throw initdbFailure(error, account);
    });
    await rename(unfinished, path);
    await syncDirectory(home);
  } finally {
    await rm(workshop, { recursive: true, force: true });
  }
}

/** Describes a failure for the operator. The most common cause is a container that runs with an arbitrary uid. */
function initdbFailure(error: unknown, account: Account): EmbeddedPostgresError {
  const message = error instanceof Error ? error.message : String(error);
  const isNameless = message.includes("could not look up effective user ID");
  const remedy = isNameless
    ? `PostgreSQL needs a name for its user: give uid ${account.uid} a line in /etc/passwd, or set DATABASE_URL`
    : "Mend that, or set DATABASE_URL";
  return new EmbeddedPostgresError(`The database could not be made. ${message.trim()}\n${remedy}`);
}

async function assertUsable(path: string, account: Account): Promise<void> {
  const { uid } = await stat(path);
  if (uid !== account.uid) {
    throw new EmbeddedPostgresError(`${path} belongs to user ${uid}: start Waypost as that user, or as root`);
  }
  const blocking = await blockingDirectory(path, account);
  if (blocking !== null) {
    throw new EmbeddedPostgresError(
      `${path} belongs to ${account.name}, which has no access to ${blocking}: let others pass it (chmod o+x)`,
    );
  }
}

/** Returns the PostgreSQL major version of a cluster directory. Null if it isn't one. */
async function versionOf(path: string): Promise<string | null> {
  return (await readFileIfPresent(join(path, "PG_VERSION")))?.trim() ?? null;
}

async function chownAsRoot(path: string, account: Account): Promise<void> {
  if (account.uid !== process.getuid?.()) await chown(path, account.uid, account.gid);
}
