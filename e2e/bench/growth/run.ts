import { writeFile } from "node:fs/promises";
import type { Closers } from "@/server/lib/closers";
import { alignedRows } from "../report";
import { compareSizes } from "./compare";
import { type MeasuredSize, type MeasuredStatement, measureSize } from "./measure";
import { openGrowthWorldAlone } from "./open-alone";
import { operationNames, OPERATIONS } from "./operations";

interface GrowthOptions {
  readonly appRoot: string;
  /** Numbers of messages, ascending. */
  readonly sizes: readonly number[];
  /** Deliveries to webhook endpoints, in addition to those that the messages have. They are added with the last size. */
  readonly deliveries: number;
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
  deliveries,
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
    await world.growTo(messages, messages === sizes.at(-1) ? deliveries : 0);
    progress(`measuring at ${messages} messages`);
    measured.push(await measureSize(world, messages, operationNames()));
  }
  process.stdout.write(`${growthTable(measured)}\n`);
  const [small, large] = [measured.at(0), measured.at(-1)];
  const growth = small && large ? compareSizes(small, large) : [];
  if (jsonFile !== null) await writeFile(jsonFile, `${JSON.stringify({ measured, growth }, null, 2)}\n`);
  return 0;
}

const TEXT_MAX = 60;

/** Formats one line per statement, then the depth of every index that has become deeper. */
function growthTable(sizes: readonly MeasuredSize[]): string {
  const [small, large] = [sizes.at(0), sizes.at(-1)];
  if (small === undefined || large === undefined) return "";
  const growth = compareSizes(small, large);
  const head = [
    "",
    ...sizes.flatMap(({ messages }) => [`ms at ${messages}`, "blocks"]),
    "ratio",
    "at equal depth",
    "",
  ];
  const rows = large.statements.map((statement) => {
    const found = growth.find((one) => one.large === statement);
    return [
      `${OPERATIONS[statement.operation].title}: ${shortText(statement)}`,
      ...sizes.flatMap((size) => cellsAt(size, statement)),
      found?.ratio.toFixed(2) ?? "",
      found?.ratioAtEqualDepth.toFixed(2) ?? "",
      found?.isGrowing === true ? "grows" : "",
    ];
  });
  return [...alignedRows([head, ...rows]), "", ...alignedRows(deeperIndexes(sizes))].join("\n");
}

/** Returns its first words, without the lists that all statements start with. */
function shortText({ text }: MeasuredStatement): string {
  return text.length <= TEXT_MAX ? text : `${text.slice(0, TEXT_MAX)}…`;
}

function cellsAt(size: MeasuredSize, { operation, text }: MeasuredStatement): string[] {
  const one = size.statements.find((other) => other.operation === operation && other.text === text);
  return one === undefined ? ["", ""] : [one.durationMs.toFixed(2), String(one.blocks)];
}

function deeperIndexes(sizes: readonly MeasuredSize[]): string[][] {
  const names = sizes.at(-1)?.indexes.map(({ name }) => name) ?? [];
  const levels = names.map((name) => [
    name,
    ...sizes.map(({ indexes }) => String(indexes.find((index) => index.name === name)?.level ?? "")),
  ]);
  const deeper = levels.filter(([, ...each]) => new Set(each).size > 1);
  return [
    ["levels of an index above its leaves", ...sizes.map(({ messages }) => String(messages))],
    ...deeper,
  ];
}
