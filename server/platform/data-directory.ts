import { mkdir, stat } from "node:fs/promises";
import path from "node:path";
import { ConfigError } from "./config";

/**
 * Creates the data directory if it doesn't exist.
 * @throws ConfigError if this user can't create or use that directory.
 */
export async function ensureDataDirectory(dataDir: string): Promise<void> {
  try {
    await makeWithParents(dataDir);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
    throw new ConfigError([
      `WAYPOST_DATA_DIR: ${dataDir} can't be used as a directory (${code}). Name one that this user may create and write.`,
    ]);
  }
}

/** Not `recursive: true`: below /proc and similar paths, Node would then retry forever. */
async function makeWithParents(directory: string): Promise<void> {
  const found = await stat(directory).catch(() => null);
  if (found?.isDirectory()) return;
  const parent = path.dirname(directory);
  if (found === null && parent !== directory) await makeWithParents(parent);
  await mkdir(directory).catch((error: unknown) => {
    // Another process may have created it in the meantime.
    if (found !== null || !(error instanceof Error && "code" in error && error.code === "EEXIST"))
      throw error;
  });
}
