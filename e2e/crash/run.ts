import { parseArgs } from "node:util";
import { planRounds } from "./kinds";
import { tableOf } from "./report";
import { runRounds } from "./rounds";

const USAGE = `Usage: npm run crash -- [--rounds N]
  --rounds  how often processes are killed (20); a round takes a minute or two`;

const ROUNDS_MAX = 100;

/**
 * Kills processes while they send, round by round, and prints what became of every message.
 * @public used by start.mjs through the bundle
 * @returns the exit code: 1 when a promise was broken, 2 for wrong arguments.
 */
export async function runCrash(argv: readonly string[]): Promise<number> {
  const count = readCount(argv);
  if (count === null) {
    process.stderr.write(`${USAGE}\n`);
    return 2;
  }
  const report = await runRounds({
    rounds: planRounds(count),
    isEachSettled: true,
    told: (figures) => {
      const { round, kind, recoveredSeconds, problems } = figures;
      const words = [`${kind} killed`, `recovered after ${recoveredSeconds?.toFixed(1) ?? "> 180"} s`];
      process.stderr.write(`crash: round ${round} of ${count}: ${[...words, ...problems].join("; ")}\n`);
    },
  });
  const problems = [
    ...report.rounds.flatMap(({ round, problems }) =>
      problems.map((problem) => `round ${round}: ${problem}`),
    ),
    ...report.wrongEnds,
  ];
  process.stdout.write(`${tableOf(report.rounds)}\n`);
  for (const problem of problems) process.stderr.write(`wrong: ${problem}\n`);
  if (problems.length > 0) process.stderr.write(`${report.output}\n`);
  return problems.length > 0 ? 1 : 0;
}

/** Null for arguments that aren't taken. */
function readCount(argv: readonly string[]): number | null {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: { rounds: { type: "string", default: "20" } },
    });
    const count = Number(values.rounds);
    return Number.isInteger(count) && count > 0 && count <= ROUNDS_MAX ? count : null;
  } catch {
    return null;
  }
}
