import { parseArgs } from "node:util";
import { runCampaign } from "@/e2e/support/campaign";
import type { Figures } from "./figures";
import { planRounds } from "./kinds";
import type { RoundsReport } from "./play";
import { problemsIn, tableOf, wordsOf } from "./report";
import { runRounds } from "./rounds";
import { planSeveral, runSeveral } from "./several";

const USAGE = `Usage: npm run crash -- [--rounds N] [--several]
  --rounds   how often processes are killed (20); a round takes a minute or two
  --several  two processes take requests and two run jobs, on a PostgreSQL and a Redis of their own, and on an Inngest
             server where INNGEST_BIN names its program`;

const ROUNDS_MAX = 100;

/**
 * Kills processes during sending, round by round, and prints the outcome of every message.
 * @public used by start.mjs through the bundle
 * @returns the exit code: 1 after a broken promise, 2 for wrong arguments.
 */
export async function runCrash(argv: readonly string[]): Promise<number> {
  const wanted = readArguments(argv);
  if (wanted === null) {
    process.stderr.write(`${USAGE}\n`);
    return 2;
  }
  return runCampaign(() => playAndPrint(wanted));
}

async function playAndPrint(wanted: Wanted): Promise<number> {
  const report = await run(wanted);
  const problems = problemsIn(report);
  process.stdout.write(`${tableOf(report.rounds)}\n`);
  process.stdout.write(`${wordsOf(report.webhooks)}\n`);
  for (const problem of problems) process.stderr.write(`wrong: ${problem}\n`);
  if (problems.length > 0) process.stderr.write(`${report.output}\n`);
  return problems.length > 0 ? 1 : 0;
}

interface Wanted {
  readonly count: number;
  readonly isSeveral: boolean;
}

function run({ count, isSeveral }: Wanted): Promise<RoundsReport> {
  const reported = ({ round, kind, recoveredSeconds, problems }: Figures) => {
    const words = [`${kind} killed`, `recovered after ${recoveredSeconds?.toFixed(1) ?? "> 180"} s`];
    process.stderr.write(`crash: round ${round} of ${count}: ${[...words, ...problems].join("; ")}\n`);
  };
  const isEachSettled = true;
  if (!isSeveral) return runRounds({ rounds: planRounds(count), isEachSettled, reported });
  const inngestBinary = process.env.INNGEST_BIN;
  const rounds = planSeveral(count, inngestBinary !== undefined);
  return runSeveral({ rounds, isEachSettled, reported, inngestBinary });
}

/** Null for invalid arguments. */
function readArguments(argv: readonly string[]): Wanted | null {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: { rounds: { type: "string", default: "20" }, several: { type: "boolean", default: false } },
    });
    const count = Number(values.rounds);
    const isCount = Number.isInteger(count) && count > 0 && count <= ROUNDS_MAX;
    return isCount ? { count, isSeveral: values.several } : null;
  } catch {
    return null;
  }
}
