import { readFile, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { EmbeddedPostgresError } from "@/db/embedded/error";

/** The system user that PostgreSQL runs as. `name` is for messages. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
  readonly name: string;
}

const ACCOUNT_NAMES = ["postgres", "_postgres", "nobody", "daemon"];
const ID_MAX = 2 ** 31 - 1;

/**
 * Returns the user of this process. Throws on a platform without user ids, where the embedded database isn't supported.
 */
export function ownAccount(): Account {
  const uid = process.getuid?.();
  const gid = process.getgid?.();
  if (uid === undefined || gid === undefined) {
    throw new EmbeddedPostgresError(
      `The embedded PostgreSQL needs Linux or macOS; on ${process.platform} set DATABASE_URL`,
    );
  }
  return { uid, gid, name: uid === 0 ? "root" : `user ${uid}` };
}

/**
 * Returns the user for PostgreSQL, which refuses to run as root: this process's own user or, for root, the owner of an
 * existing cluster, otherwise an existing unprivileged user of the system.
 */
export async function postgresAccount(existingCluster: string | null): Promise<Account> {
  const own = ownAccount();
  if (own.uid !== 0) return own;
  if (existingCluster !== null) {
    const { uid, gid } = await stat(existingCluster);
    if (uid === 0)
      throw new EmbeddedPostgresError(
        `${existingCluster} belongs to root, and PostgreSQL doesn't run as root`,
      );
    return { uid, gid, name: `user ${uid}` };
  }
  const accounts = parsePasswd(await readFile("/etc/passwd", "utf8"));
  for (const name of ACCOUNT_NAMES) {
    const account = accounts.find((candidate) => candidate.name === name);
    if (account) return account;
  }
  throw new EmbeddedPostgresError(
    `PostgreSQL doesn't run as root, and this system has none of the users ${ACCOUNT_NAMES.join(", ")}: ` +
      "start Waypost as another user, or set DATABASE_URL",
  );
}

/** Parses the unprivileged users from the text of /etc/passwd. */
export function parsePasswd(text: string): Account[] {
  return text
    .split("\n")
    .filter((line) => !line.startsWith("#"))
    .map((line) => line.split(":"))
    .filter((fields) => fields.length >= 7 && fields[0] !== "")
    .map(([name = "", , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ uid, gid }) => [uid, gid].every((id) => Number.isInteger(id) && id > 0 && id <= ID_MAX));
}

/**
 * Returns the outermost directory at or above `path` that the account can't traverse. Null if it can reach the path.
 * Checks owner, group and mode, which is all that matters for a process started as another user without supplementary
 * groups. For this process's own account it returns null, because the system itself reports errors.
 */
export async function blockingDirectory(path: string, account: Account): Promise<string | null> {
  if (account.uid === process.getuid?.()) return null;
  const directories = [resolve(path)];
  for (let at = resolve(path); at !== dirname(at); at = dirname(at)) directories.unshift(dirname(at));
  for (const directory of directories) {
    if (!(await grants(directory, account, 0o1))) return directory;
  }
  return null;
}

/** Returns true if the account has the permission bits (4 read, 2 write, 1 traverse or execute) on the path itself. */
export async function grants(path: string, account: Account, bits: number): Promise<boolean> {
  if (account.uid === process.getuid?.()) return true;
  const { uid, gid, mode } = await stat(path);
  const shift = uid === account.uid ? 6 : gid === account.gid ? 3 : 0;
  return ((mode >> shift) & bits) === bits;
}
