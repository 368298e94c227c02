import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { type Config, TOKEN_LENGTH_MIN } from "@/server/platform/config";
import { ensureDataDirectory } from "@/server/platform/data-directory";
import { createOnce, isSystemError } from "@/server/platform/secrets/secret-file";

const TOKEN_BYTES = 32;
const FILE = "metrics-token";

/**
 * Returns the token for reading `/metrics`: `WAYPOST_METRICS_TOKEN`, or else the file `metrics-token` of the data
 * directory (mode 0600), which is created from 256 random bits if there is none.
 * @throws Error if the file can't be read or created, or contains no token.
 */
export async function findMetricsToken({
  metricsToken,
  dataDir,
}: Pick<Config, "metricsToken" | "dataDir">): Promise<string> {
  if (metricsToken !== null) return metricsToken;
  const file = path.join(/* turbopackIgnore: true */ dataDir, FILE);
  const known = await readToken(file);
  if (known !== null) return known;
  await ensureDataDirectory(dataDir);
  await createOnce(file, randomBytes(TOKEN_BYTES).toString("base64url"));
  const token = await readToken(file);
  if (token === null) throw new Error(`${file} vanished while it was being made`);
  return token;
}

async function readToken(file: string): Promise<string | null> {
  try {
    const token = (await readFile(file, "utf8")).trim();
    if (token.length >= TOKEN_LENGTH_MIN) return token;
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return null;
    throw error;
  }
  throw new Error(`${file} holds no token of at least ${TOKEN_LENGTH_MIN} characters: remove it`);
}

/** Checks whether a value of `Authorization` contains the token. The comparison takes constant time. */
export function admitsBearer(token: string): (authorization: string | undefined) => boolean {
  const expected = digest(token);
  return (authorization) => {
    const given = /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
    return given !== undefined && timingSafeEqual(digest(given), expected);
  };
}

const digest = (text: string) => createHash("sha256").update(text).digest();
