import { writeFile } from "node:fs/promises";
import { createClosers } from "@/server/closers";
import { compareSizes } from "./compare";
import { type MeasuredSize, measureSize } from "./measure";
import { openGrowthWorldAlone } from "./open-alone";
import { operationNames } from "./operations";
import { growthTable } from "./report";

export interface GrowthOptions {
  readonly appRoot: string;
  /** Messages, ascending. */
  readonly sizes: readonly number[];
  readonly jsonFile: string | null;
  readonly progress: (line: string) => void;
}

/**
 * Measures every statement of the operations at each size, in a PostgreSQL of its own that is removed afterwards: ten
 * million messages take about 20 GB and 20 minutes.
 * @returns the exit code.
 */
export async function runGrowth({ appRoot, sizes, jsonFile, progress }: GrowthOptions): Promise<number> {
  const closers = createClosers();
  process.once("SIGINT", () => void closers.closeAll().then(() => process.exit(130)));
  try {
    const world = await openGrowthWorldAlone(appRoot);
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
