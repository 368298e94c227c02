import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { runCampaign } from "@/e2e/support/campaign";
import type { Closers } from "@/server/lib/closers";
import type { Case, OpenCase } from "./case";
import { type CaseName, CASES, createBench } from "./cases";
import { watchCpu } from "./cpu";
import type { LoadResult } from "./load";
import { runGrowth } from "./growth/run";
import { type MeasuredRound, reportOf, tableOf, wrongAnswers } from "./report";
import { workerStarter } from "./start-worker";
import { HOW_TO_READ, usageOf } from "./usage";

const WARM_UP_PART = 0.3;

interface BenchOptions {
  readonly appRoot: string;
  readonly argv: readonly string[];
  readonly workerFile: string;
}

interface Settings {
  readonly seconds: number;
  readonly rounds: number;
  readonly names: readonly CaseName[];
  readonly jsonFile: string | null;
  /** Messages; null where the cases are to be measured. */
  readonly growthSizes: readonly number[] | null;
}

interface OpenedCase extends Omit<Case, "open"> {
  readonly name: CaseName;
  readonly opened: OpenCase;
  readonly rounds: MeasuredRound[];
}

/**
 * Measures, in one run on one machine, what a new message costs beside an empty Next.js route, the bare bridge and
 * PostgreSQL alone, and prints the figures. One load at a time, made by a process of its own; the
 * cases take turns, so that what else the machine does hits all of them alike.
 * @public used by start.mjs through the bundle
 * @returns the exit code: 1 when anything was answered otherwise than expected, 2 for wrong arguments.
 */
export async function runBench({ appRoot, argv, workerFile }: BenchOptions): Promise<number> {
  const usage = usageOf({
    usual: namesOf((one) => one.isExtra !== true),
    extra: namesOf((one) => one.isExtra === true),
  });
  if (argv.includes("--help")) {
    process.stdout.write(`${usage}\n\n${HOW_TO_READ}\n`);
    return 0;
  }
  const settings = readSettings(argv);
  if (settings === null) {
    process.stderr.write(`${usage}\n`);
    return 2;
  }
  const { growthSizes: sizes, jsonFile } = settings;
  return runCampaign((closers) =>
    sizes === null
      ? measureCases({ appRoot, workerFile, closers }, settings)
      : runGrowth({ appRoot, sizes, jsonFile, progress, closers }),
  );
}

async function measureCases(
  { appRoot, workerFile, closers }: Omit<BenchOptions, "argv"> & { closers: Closers },
  settings: Settings,
): Promise<number> {
  const startWorker = workerStarter({ workerFile, appRoot, closers });
  const load = await startWorker("load");
  const measuredPids = new Set<number>();
  const bench = createBench({
    appRoot,
    load,
    startWorker,
    measuredPids,
    atEnd: (stop) => closers.add(stop),
  });
  const cases: OpenedCase[] = [];
  for (const name of settings.names) {
    const { title, open, ...nature }: Case = CASES[name];
    progress(`starting: ${title}`);
    cases.push({ name, title, ...nature, opened: await open(bench), rounds: [] });
  }
  for (const one of cases) await warmUp(one, settings.seconds);
  for (let round = 1; round <= settings.rounds; round += 1) {
    for (const one of cases) {
      if (round === 1 || one.isOnce !== true) await measure(one, round, settings, measuredPids);
    }
  }
  return publish(cases, settings);
}

/** What is measured once, over a long time, has its own beginning to warm up in. */
async function warmUp({ title, isOnce, opened }: OpenedCase, seconds: number): Promise<void> {
  if (isOnce === true) return;
  progress(`warming up: ${title}`);
  await opened.measure(Math.max(2, seconds * WARM_UP_PART));
  await opened.settle();
}

async function measure(
  { title, opened, rounds }: OpenedCase,
  round: number,
  settings: Settings,
  measuredPids: ReadonlySet<number>,
): Promise<void> {
  await opened.prepare?.();
  const cpuUsed = watchCpu(measuredPids);
  const result = await opened.measure(settings.seconds);
  rounds.push({ ...result, cpu: cpuUsed() });
  progress(`round ${round} of ${settings.rounds}: ${title}: ${figuresOf(result)}`);
  await opened.settle();
}

function figuresOf({ requestsPerSecond, p50Ms, p99Ms }: LoadResult): string {
  const times =
    p50Ms !== null && p99Ms !== null ? `, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms` : "";
  return `${requestsPerSecond.toFixed(0)}/s${times}`;
}

async function publish(cases: readonly OpenedCase[], { seconds, jsonFile }: Settings): Promise<number> {
  const report = reportOf(cases, seconds);
  process.stdout.write(`${tableOf(report)}\n`);
  if (jsonFile !== null) await writeFile(jsonFile, `${JSON.stringify(report, null, 2)}\n`);
  const wrong = wrongAnswers(report);
  for (const line of wrong) process.stderr.write(`wrong answers: ${line}\n`);
  return wrong.length > 0 ? 1 : 0;
}

/** Null for arguments that the bench doesn't take. */
function readSettings(argv: readonly string[]): Settings | null {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: {
        seconds: { type: "string", default: "5" },
        rounds: { type: "string", default: "3" },
        only: { type: "string", default: namesOf((one) => one.isExtra !== true).join(",") },
        json: { type: "string" },
        growth: { type: "boolean", default: false },
        sizes: { type: "string", default: "10000,1000000,10000000" },
      },
    });
    const [seconds, rounds] = [Number(values.seconds), Number(values.rounds)];
    const asked = values.only.split(",");
    const names = namesOf((_, name) => asked.includes(name));
    const sizes = values.sizes.split(",").map(Number);
    const areWhole = [seconds, rounds, ...sizes].every((value) => Number.isInteger(value) && value > 0);
    if (!areWhole || names.length !== new Set(asked).size) return null;
    return {
      seconds,
      rounds,
      names,
      jsonFile: values.json ?? null,
      growthSizes: values.growth ? sizes : null,
    };
  } catch {
    return null;
  }
}

function namesOf(isWanted: (one: Case, name: CaseName) => boolean): CaseName[] {
  return Object.keys(CASES)
    .filter(isCaseName)
    .filter((name) => isWanted(CASES[name], name));
}

function isCaseName(name: string): name is CaseName {
  return Object.hasOwn(CASES, name);
}

function progress(line: string): void {
  process.stderr.write(`bench: ${line}\n`);
}
