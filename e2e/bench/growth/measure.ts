import { median } from "../statistics";
import type { RanStatement } from "./plans";
import { type OperationName, OPERATIONS } from "./operations";
import type { GrowthWorld } from "./world";

/** One statement of an operation at one database size: medians of several runs. */
export interface MeasuredStatement {
  readonly operation: OperationName;
  readonly text: string;
  readonly durationMs: number;
  readonly blocks: number;
  readonly searches: RanStatement["searches"];
  readonly writes: RanStatement["writes"];
  /** The plan of the last run. */
  readonly plan: RanStatement["plan"];
}

/** A database of one size. */
export interface MeasuredSize {
  readonly messages: number;
  readonly statements: readonly MeasuredStatement[];
  readonly indexes: readonly IndexSize[];
}

export interface IndexSize {
  readonly name: string;
  readonly table: string;
  /** Index levels above the leaves that a search passes. */
  readonly level: number;
}

/** From the sixth run on, a connection may keep a generic plan, as in a long-running process. */
const WARM_UPS = 7;
const RUNS = 5;

/** Runs every operation several times and collects its statements. */
export async function measureSize(
  world: GrowthWorld,
  messages: number,
  names: readonly OperationName[],
): Promise<MeasuredSize> {
  const statements: MeasuredStatement[] = [];
  for (const name of names) statements.push(...(await measureOperation(world, name)));
  return { messages, statements, indexes: await indexSizes(world) };
}

async function measureOperation(world: GrowthWorld, name: OperationName): Promise<MeasuredStatement[]> {
  const runs: RanStatement[][] = [];
  for (let run = 0; run < WARM_UPS + RUNS; run += 1) {
    const act = await OPERATIONS[name].open(world);
    world.statements.take();
    await act();
    const ran = world.statements.take();
    if (run >= WARM_UPS) runs.push(ran);
  }
  const texts = new Set(runs.flatMap((ran) => ran.map(({ text }) => text)));
  return [...texts].map((text) => summaryOf(name, text, runs));
}

/** A statement that an operation runs several times counts as a whole. */
function summaryOf(
  operation: OperationName,
  text: string,
  runs: readonly RanStatement[][],
): MeasuredStatement {
  const alike = runs.map((ran) => ran.filter((statement) => statement.text === text));
  const sum = (pick: (statement: RanStatement) => number) =>
    median(alike.map((statements) => statements.reduce((total, statement) => total + pick(statement), 0)));
  const sums = (pick: (statement: RanStatement) => Readonly<Record<string, number>>) => {
    const names = new Set(alike.flat().flatMap((statement) => Object.keys(pick(statement))));
    return Object.fromEntries([...names].map((key) => [key, sum((statement) => pick(statement)[key] ?? 0)]));
  };
  return {
    operation,
    text,
    durationMs: sum((statement) => statement.durationMs),
    blocks: sum((statement) => statement.blocks),
    searches: sums((statement) => statement.searches),
    writes: sums((statement) => statement.writes),
    plan: alike.flat().at(-1)?.plan ?? [],
  };
}

async function indexSizes({ admin }: GrowthWorld): Promise<readonly IndexSize[]> {
  await admin`create extension if not exists pageinspect`;
  return admin<IndexSize[]>`
    select i.relname as name, t.relname as table, (bt_metap(i.oid::regclass::text)).fastlevel::int as level
    from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
    join pg_am a on a.oid = i.relam and a.amname = 'btree'
    where t.relnamespace = 'public'::regnamespace`;
}
