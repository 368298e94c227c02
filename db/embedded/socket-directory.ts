import { createHash } from "node:crypto";
import { chown, lstat, mkdir, realpath, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { blockingDirectory, type Account } from "@/db/embedded/account";
import { EmbeddedPostgresError } from "@/db/embedded/error";
import { errorCode } from "@/db/embedded/files";

/** The path of a unix socket is cut at 103 bytes on macOS and 107 on Linux. `/.s.PGSQL.5432` needs 14 of them. */
const DIRECTORY_SIZE_MAX = 89;

/**
 * Prepares a private directory (0700, owned by the account) for PostgreSQL's socket. It is short, because a data
 * directory's own path may be too long for a socket, and the same after each restart. Throws if another user has
 * created something in its place.
 */
export async function prepareSocketDirectory(dataDir: string, account: Account): Promise<string> {
  const { dev, ino } = await stat(dataDir, { bigint: true });
  const hash = createHash("sha256").update(`${dev}-${ino}`).digest("hex").slice(0, 12);
  const directory = join(await parentFor(account), `waypost-${account.uid}-${hash}`);
  try {
    await mkdir(directory, { mode: 0o700 });
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
  const found = await lstat(directory);
  const own = process.getuid?.();
  if (
    !found.isDirectory() ||
    (found.uid !== account.uid && found.uid !== own) ||
    (found.mode & 0o077) !== 0
  ) {
    throw new EmbeddedPostgresError(
      `${directory} should be a directory of ${account.name} with mode 700, and is something else: remove it`,
    );
  }
  if (found.uid !== account.uid) await chown(directory, account.uid, account.gid);
  return directory;
}

/** Does nothing if it is already gone. */
export async function removeSocketDirectory(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true });
}

async function parentFor(account: Account): Promise<string> {
  const preferred = await realpath(tmpdir());
  const fits = Buffer.byteLength(preferred) + "/waypost-4294967295-".length + 12 <= DIRECTORY_SIZE_MAX;
  return fits && (await blockingDirectory(preferred, account)) === null ? preferred : "/tmp";
}
