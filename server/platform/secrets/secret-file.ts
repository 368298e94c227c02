import { randomBytes } from "node:crypto";
import { link, open, readFile, rm } from "node:fs/promises";
import path from "node:path";

const SECRET_BYTES = 32;
const SECRET_LENGTH_MIN = 32;

/**
 * Loads the secret of an installation that has no configured one: the file `secret` in its data directory (mode 0600).
 * Creates it from 256 random bits if there is none. Processes that start concurrently get the same secret, and it is on
 * disk before anything is encrypted with it. The directory must exist.
 * @throws Error if the file exists and contains no secret.
 */
export async function loadOrCreateSecret(dataDir: string): Promise<string> {
  const known = await findSecret(dataDir);
  if (known !== null) return known;
  const file = path.join(dataDir, "secret");
  await createOnce(file, randomBytes(SECRET_BYTES).toString("base64url"));
  const secret = await findSecret(dataDir);
  if (secret === null) throw new Error(`${file} vanished while it was being made`);
  return secret;
}

/**
 * Returns the secret of the data directory. Null if it has none yet.
 * @throws Error if the file exists and contains no secret.
 */
export async function findSecret(dataDir: string): Promise<string | null> {
  const file = path.join(dataDir, "secret");
  try {
    const secret = (await readFile(file, "utf8")).trim();
    if (secret.length >= SECRET_LENGTH_MIN) return secret;
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return null;
    throw error;
  }
  throw new Error(
    `${file} holds no secret of at least ${SECRET_LENGTH_MIN} characters. Put the one back under which this data ` +
      "directory's database was made: without it, nothing that is encrypted there can be read.",
  );
}

/**
 * Creates a file with this one line, mode 0600. The file is complete as soon as it has its name. If two processes
 * create it, the first wins.
 */
export async function createOnce(file: string, secret: string): Promise<void> {
  const draft = `${file}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    const handle = await open(draft, "wx", 0o600);
    try {
      await handle.writeFile(`${secret}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await link(draft, file).catch((error: unknown) => {
      if (!isSystemError(error, "EEXIST")) throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
  await syncDirectory(path.dirname(file));
}

async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export function isSystemError(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
