import { migrateDatabase } from "@/db/client";
import { acquireDataDirectory, startEmbeddedPostgres } from "@/db/embedded";
import { createDataDirectory, removeDataDirectory } from "@/e2e/support/data-directory";
import { createClosers } from "@/server/lib/closers";
import { createLogger } from "@/server/platform/log";
import { type GrowthWorld, openGrowthWorld } from "./world";

/** None of it outlives the run, and filling it must not wait for a disk. The other settings are as in the product. */
const SETTINGS = {
  fsync: "off",
  full_page_writes: "off",
  wal_level: "minimal",
  max_wal_senders: "0",
  max_wal_size: "4GB",
  // Filling vacuums explicitly. Concurrent work keeps replaced rows from being cleaned up, so they would be read.
  autovacuum: "off",
} as const;

/** Opens a world in its own PostgreSQL, in which nothing else runs. Closing it removes both. */
export async function openGrowthWorldAlone(appRoot: string): Promise<GrowthWorld> {
  const closers = createClosers();
  try {
    const dataDir = await createDataDirectory();
    closers.add(() => removeDataDirectory(dataDir));
    const ownership = await acquireDataDirectory(dataDir, { kind: "cli" });
    closers.add(() => ownership.release());
    const log = createLogger({ level: "error" });
    const { connection: address, stop } = await startEmbeddedPostgres({ dataDir, log, settings: SETTINGS });
    closers.add(stop);
    await migrateDatabase(address, appRoot);
    const world = await openGrowthWorld({ address, appRoot, dataDir });
    closers.add(world.close);
    return { ...world, close: () => closers.closeAll() };
  } catch (error) {
    await closers.closeAll();
    throw error;
  }
}
