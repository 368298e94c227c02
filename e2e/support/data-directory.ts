import { chmod, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endPostgresOf } from "@/db/embedded/processes";
import { readClusterState } from "@/db/embedded/state";

/** Creates a directory for `WAYPOST_DATA_DIR`, for tests that start on it more than once. */
export async function createDataDirectory(): Promise<string> {
  const directory = await mkdtemp(join(await realpath(tmpdir()), "waypost-e2e-"));
  // As root, PostgreSQL runs as a different user, who needs access.
  await chmod(directory, 0o711);
  return directory;
}

/** Stops a PostgreSQL that a killed server left behind, and removes all files. */
export async function removeDataDirectory(directory: string): Promise<void> {
  const cluster = (await readClusterState(directory))?.cluster ?? join(directory, "postgres");
  await endPostgresOf(cluster);
  await rm(directory, { recursive: true, force: true, maxRetries: 5 });
}
