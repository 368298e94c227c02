import type { Figures } from "./figures";
import type { RoundsReport } from "./play";
import type { WebhookFigures } from "./reported";

const COLUMNS: readonly { readonly head: string; cell(figures: Figures): string | number }[] = [
  { head: "round", cell: ({ round }) => round },
  {
    head: "killed",
    cell: ({ kind, isUpstreamFrozen }) => `${kind}${isUpstreamFrozen ? ", calls on their way" : ""}`,
  },
  { head: "no answer", cell: ({ answers }) => answers[0] ?? 0 },
  { head: "503", cell: ({ answers }) => answers[503] ?? 0 },
  { head: "accepted", cell: ({ accepted }) => accepted },
  { head: "once", cell: ({ once }) => once },
  { head: "failed by code", cell: ({ failed }) => sum(Object.values(failed)) },
  { head: "in doubt", cell: ({ uncertain }) => uncertain },
  { head: "twice", cell: ({ twice }) => twice.length },
  { head: "lost", cell: ({ lost }) => lost.length },
  { head: "doubted by the kill", cell: ({ doubted, doubtedMax }) => `${doubted} of ${doubtedMax}` },
  { head: "recovered after", cell: ({ recoveredSeconds }) => `${recoveredSeconds?.toFixed(1) ?? "> 180"} s` },
];

/** Formats the rounds as a table, with the problems below it. */
export function tableOf(rounds: readonly Figures[]): string {
  const rows = [
    COLUMNS.map(({ head }) => head),
    ...rounds.map((figures) => COLUMNS.map(({ cell }) => String(cell(figures)))),
    totalsOf(rounds),
  ];
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row.map((text, column) =>
      column === 1 ? text.padEnd(widths[1] ?? 0) : text.padStart(widths[column] ?? 0),
    ),
  );
  const codes = Object.entries(codesOf(rounds)).map(([code, count]) => `${code} ${count}`);
  return [...lines.map((cells) => cells.join("  ")), "", `Failed by code: ${codes.join(", ")}`].join("\n");
}

/** Formats the webhook figures. */
export function wordsOf(figures: WebhookFigures): string {
  const { reported, received, refused, retries, interrupted, repeated, repeatedMax } = figures;
  return [
    `Told by webhooks: ${reported}, ${received} of them customers' messages`,
    `not taken at first: ${refused}`,
    `attempts beyond the first: ${retries}`,
    `attempts of processes that died: ${interrupted}`,
    `told again though it was taken: ${repeated} of ${repeatedMax} at most`,
  ].join("; ");
}

/** For every column that can be summed up. */
function totalsOf(rounds: readonly Figures[]): string[] {
  return COLUMNS.map(({ head, cell }, column) => {
    if (column === 0) return "";
    const cells = rounds.map(cell);
    const numbers = cells.filter((value) => typeof value === "number");
    if (numbers.length === cells.length) return String(sum(numbers));
    return head === "killed" ? "all" : "";
  });
}

function codesOf(rounds: readonly Figures[]): Record<string, number> {
  const codes: Record<string, number> = {};
  for (const { failed } of rounds)
    for (const [code, count] of Object.entries(failed)) codes[code] = (codes[code] ?? 0) + count;
  return codes;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Describes broken promises. */
export function problemsIn({
  rounds,
  wrongEnds,
  wrongReports,
}: Omit<RoundsReport, "output">): readonly string[] {
  const ofRounds = rounds.flatMap(({ round, problems }) =>
    problems.map((problem) => `round ${round}: ${problem}`),
  );
  return [...ofRounds, ...wrongEnds, ...wrongReports];
}
