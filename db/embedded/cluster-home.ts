import { chmod, lstat, mkdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { blockingDirectory, type Account } from "@/db/embedded/account";
import { EmbeddedPostgresError } from "@/db/embedded/error";
import { errorCode, readFileIfPresent } from "@/db/embedded/files";
import { readClusterState } from "@/db/embedded/state";

/** Directories for a cluster whose user can't access the data directory. Both survive a reboot. */
const SHARED_HOMES = ["/var/lib/waypost", "/var/tmp/waypost"];

const backReferencePath = (home: string) => join(home, "data-directory");

/**
 * Prepares a directory outside the data directory that the account can access, named after the cluster's id. Only root
 * needs one, because only root runs PostgreSQL as another user.
 */
export async function prepareOutsideHome(dataDir: string, id: string, account: Account): Promise<string> {
  const problems: string[] = [];
  for (const parent of SHARED_HOMES) {
    const home = join(parent, id);
    const problem = (await problemOf(parent, account)) ?? (await problemOf(home, account));
    if (problem === null) {
      await writeFile(backReferencePath(home), dataDir, { mode: 0o600 });
      return home;
    }
    problems.push(problem);
  }
  throw new EmbeddedPostgresError(
    `No place for PostgreSQL's files that ${account.name} gets to: ${problems.join("; ")}`,
  );
}

/**
 * Throws if the data directory is a copy of one that still exists: both would use the same cluster outside of them.
 * After a move, the back reference is updated.
 */
export async function assertNotACopy(dataDir: string, home: string, id: string): Promise<void> {
  const original = await readFileIfPresent(backReferencePath(home));
  if (original === dataDir) return;
  if (original !== null && (await idAt(original)) === id && !(await isSameDirectory(original, dataDir))) {
    throw new EmbeddedPostgresError(
      `${dataDir} is a copy of ${original}, whose database is in ${home} and isn't copied with it: ` +
        "remove its postgres.json to begin with an empty database",
    );
  }
  await writeFile(backReferencePath(home), dataDir, { mode: 0o600 });
}

async function idAt(dataDir: string): Promise<string | null> {
  try {
    return (await readClusterState(dataDir))?.id ?? null;
  } catch {
    return null;
  }
}

async function isSameDirectory(a: string, b: string): Promise<boolean> {
  const [one, other] = await Promise.all([a, b].map((path) => stat(path, { bigint: true })));
  return one !== undefined && other !== undefined && one.dev === other.dev && one.ino === other.ino;
}

/** Creates the directory if absent, and returns why it can't be used. Null if it can. */
async function problemOf(directory: string, account: Account): Promise<string | null> {
  try {
    await mkdir(directory);
    await chmod(directory, 0o711);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") return `${directory}: ${errorCode(error) ?? String(error)}`;
  }
  const found = await lstat(directory);
  if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o022) !== 0) {
    return `${directory} isn't a directory that we alone can write`;
  }
  const blocking = await blockingDirectory(directory, account);
  return blocking === null ? null : `${account.name} has no access to ${blocking}`;
}
