import { mkdir } from "node:fs/promises";
import { ConfigError } from "./config";

/**
 * Makes the data directory where it isn't there yet.
 * @throws ConfigError when this user can't have a directory of that name.
 */
export async function ensureDataDirectory(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
    throw new ConfigError([
      `WAYPOST_DATA_DIR: ${dataDir} can't be used as a directory (${code}). Name one that this user may create and write.`,
    ]);
  }
}
