import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { createClosers } from "@/server/closers";
import { type Case, type CaseName, CASES, createBench, type OpenCase } from "./cases";
import { watchCpu } from "./cpu";
import { type MeasuredRound, reportOf, tableOf, wrongAnswers } from "./report";
import { workerStarter } from "./start-worker";

const USAGE = `Usage: npm run bench -- [--seconds N] [--rounds N] [--only CASE,…] [--json FILE]
  --seconds  length of each measurement (5)
  --rounds   how often each case is measured; the cases take turns (3)
  --only     of these cases: ${Object.keys(CASES).join(", ")}
  --json     also writes the figures to this file`;

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
}

interface OpenedCase {
  readonly name: CaseName;
  readonly title: string;
  readonly isPaced: boolean;
  readonly opened: OpenCase;
  readonly rounds: MeasuredRound[];
}

/**
 * Measures, in one run on one machine, what a new message costs beside an empty Next.js route, the bare bridge and
 * PostgreSQL alone (design section 12), and prints the figures. One load at a time, made by a process of its own; the
 * cases take turns, so that what else the machine does hits all of them alike.
 * @public used by start.mjs through the bundle
 * @returns the exit code: 1 when anything was answered otherwise than expected, 2 for wrong arguments.
 */
export async function runBench({ appRoot, argv, workerFile }: BenchOptions): Promise<number> {
  const settings = readSettings(argv);
  if (settings === null) {
    process.stderr.write(`${USAGE}\n`);
    return 2;
  }
  const closers = createClosers();
  process.once("SIGINT", () => void closers.closeAll().then(() => process.exit(130)));
  try {
    const startWorker = workerStarter({ workerFile, appRoot });
    const load = await startWorker("load");
    closers.add(load.stop);
    const bench = createBench({ appRoot, load, startWorker, atEnd: (stop) => closers.add(stop) });
    const cases: OpenedCase[] = [];
    for (const name of settings.names) {
      const { title, isPaced = false, open }: Case = CASES[name];
      progress(`starting: ${title}`);
      cases.push({ name, title, isPaced, opened: await open(bench), rounds: [] });
    }
    for (const { title, opened } of cases) await warmUp(title, opened, settings.seconds);
    for (let round = 1; round <= settings.rounds; round += 1) {
      for (const one of cases) await measure(one, round, settings);
    }
    return await publish(cases, settings);
  } finally {
    await closers.closeAll();
  }
}

async function warmUp(title: string, { measure, settle }: OpenCase, seconds: number): Promise<void> {
  progress(`warming up: ${title}`);
  await measure(Math.max(2, seconds * WARM_UP_PART));
  await settle();
}

async function measure(
  { title, opened, rounds }: OpenedCase,
  round: number,
  settings: Settings,
): Promise<void> {
  const cpuUsed = watchCpu();
  const result = await opened.measure(settings.seconds);
  rounds.push({ ...result, cpu: cpuUsed() });
  const figures = `${result.requestsPerSecond.toFixed(0)}/s, p50 ${result.p50Ms.toFixed(1)} ms, p99 ${result.p99Ms.toFixed(1)} ms`;
  progress(`round ${round} of ${settings.rounds}: ${title}: ${figures}`);
  await opened.settle();
}

async function publish(cases: readonly OpenedCase[], { seconds, jsonFile }: Settings): Promise<number> {
  const report = reportOf(
    cases.map(({ name, title, isPaced, rounds }) => ({ name, title, isPaced, rounds })),
    seconds,
  );
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
        only: { type: "string", default: Object.keys(CASES).join(",") },
        json: { type: "string" },
      },
    });
    const [seconds, rounds] = [Number(values.seconds), Number(values.rounds)];
    const asked = values.only.split(",");
    const names = Object.keys(CASES)
      .filter((name) => asked.includes(name))
      .filter(isCaseName);
    const isWhole = Number.isInteger(seconds) && seconds > 0 && Number.isInteger(rounds) && rounds > 0;
    if (!isWhole || names.length !== new Set(asked).size) return null;
    return { seconds, rounds, names, jsonFile: values.json ?? null };
  } catch {
    return null;
  }
}

function isCaseName(name: string): name is CaseName {
  return Object.hasOwn(CASES, name);
}

function progress(line: string): void {
  process.stderr.write(`bench: ${line}\n`);
}
