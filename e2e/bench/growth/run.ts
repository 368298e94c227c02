import { writeFile } from "node:fs/promises";
import type { Closers } from "@/server/lib/closers";
import { compareSizes } from "./compare";
import { type MeasuredSize, measureSize } from "./measure";
import { openGrowthWorldAlone } from "./open-alone";
import { operationNames } from "./operations";
import { growthTable } from "./report";

export interface GrowthOptions {
  readonly appRoot: string;
  /** Numbers of messages, ascending. */
  readonly sizes: readonly number[];
  readonly jsonFile: string | null;
  readonly progress: (line: string) => void;
  readonly closers: Closers;
}

/**
 * Measures every statement of the operations at each size, in a PostgreSQL of its own that is removed afterwards: ten
 * million messages take about 20 GB and 20 minutes.
 * @returns the exit code.
 */
export async function runGrowth({
  appRoot,
  sizes,
  jsonFile,
  progress,
  closers,
}: GrowthOptions): Promise<number> {
  const world = await closers.open(
    () => openGrowthWorldAlone(appRoot),
    (opened) => opened.close(),
  );
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
}
