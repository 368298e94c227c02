import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrateDatabase } from "@/db/client";
import { acquireDataDirectory, startEmbeddedPostgres } from "@/db/embedded";
import { createClosers } from "@/server/closers";
import { createLogger } from "@/server/log";
import { compareSizes } from "./compare";
import { type MeasuredSize, measureSize } from "./measure";
import { operationNames } from "./operations";
import { growthTable } from "./report";
import { openGrowthWorld } from "./world";

export interface GrowthOptions {
  readonly appRoot: string;
  /** Messages, ascending. */
  readonly sizes: readonly number[];
  readonly jsonFile: string | null;
  readonly progress: (line: string) => void;
}

/** Nothing of it outlives the run, and filling it must not wait for a disk. The rest is as in the product. */
const SETTINGS = {
  fsync: "off",
  full_page_writes: "off",
  wal_level: "minimal",
  max_wal_senders: "0",
  max_wal_size: "4GB",
  // Filling vacuums by itself; what else would run meanwhile makes figures differ.
  autovacuum: "off",
} as const;

/**
 * Measures every statement of the operations at each size, in a PostgreSQL of its own that is removed afterwards: ten
 * million messages take about 20 GB and 20 minutes.
 * @returns the exit code.
 */
export async function runGrowth({ appRoot, sizes, jsonFile, progress }: GrowthOptions): Promise<number> {
  const closers = createClosers();
  process.once("SIGINT", () => void closers.closeAll().then(() => process.exit(130)));
  try {
    const dataDir = await mkdtemp(join(tmpdir(), "waypost-growth-"));
    closers.add(() => rm(dataDir, { recursive: true, force: true }));
    const ownership = await acquireDataDirectory(dataDir, { kind: "cli" });
    closers.add(() => ownership.release());
    const log = createLogger({ level: "error" });
    const postgres = await startEmbeddedPostgres({ dataDir, log, settings: SETTINGS });
    closers.add(() => postgres.stop());
    const address = postgres.connection;
    await migrateDatabase(address, appRoot);
    const world = await openGrowthWorld({ address, appRoot, dataDir });
    closers.add(world.close);
    const measured: MeasuredSize[] = [];
    for (const messages of sizes) {
      progress(`filling up to ${messages} messages`);
      await world.growTo(messages);
      progress(`measuring at ${messages} messages`);
      measured.push(await measureSize(world, messages, operationNames()));
    }
    process.stdout.write(`${growthTable(measured)}\n`);
    const [small, large] = [measured.at(0), measured.at(-1)];
    const growth = small && large ? compareSizes(small, large) : [];
    if (jsonFile !== null) await writeFile(jsonFile, `${JSON.stringify({ measured, growth }, null, 2)}\n`);
    return 0;
  } finally {
    await closers.closeAll();
  }
}
