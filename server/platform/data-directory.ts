import { mkdir, stat } from "node:fs/promises";
import path from "node:path";
import { ConfigError } from "./config";

/**
 * Makes the data directory where it isn't there yet.
 * @throws ConfigError when this user can't have a directory of that name.
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

/** Not `recursive: true`: below /proc and the like Node then tries again for ever. */
async function makeWithParents(directory: string): Promise<void> {
  const found = await stat(directory).catch(() => null);
  if (found?.isDirectory()) return;
  const parent = path.dirname(directory);
  if (found === null && parent !== directory) await makeWithParents(parent);
  await mkdir(directory).catch((error: unknown) => {
    // Another process may have made it meanwhile.
    if (found !== null || !(error instanceof Error && "code" in error && error.code === "EEXIST"))
      throw error;
  });
}
