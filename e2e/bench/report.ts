import { availableParallelism } from "node:os";
import type { CpuSplit, CpuUse } from "./cpu";
import type { Fact, LoadResult } from "./load";
import type { ProcessGroup } from "./processes";
import { median } from "./statistics";

/** The baseline of all ratios. */
const BASE_CASE = "empty-next";

/** Share of all cores' time. If strangers take more in any round, the figures say more about them than about us. */
const STRANGERS_PART_MAX = 0.05;

/** The goal of a case: a minimum ratio or rate, or a maximum median time. */
export type Goal =
  | { readonly of: "ratio" | "requestsPerSecond"; readonly atLeast: number }
  | { readonly of: "p50Ms"; readonly atMost: number };

/** One round of one case, and the machine resources it used. */
export interface MeasuredRound extends LoadResult {
  readonly cpu: CpuUse;
}

export interface MeasuredCase {
  readonly name: string;
  readonly title: string;
  /** Sent at a fixed pace, so that requests per second are meaningless. */
  readonly isPaced?: boolean;
  readonly goal?: Goal;
  readonly rounds: readonly MeasuredRound[];
}

export interface CaseReport extends Omit<MeasuredCase, "goal" | "isPaced"> {
  readonly isPaced: boolean;
  /** Medians of the rounds. */
  readonly requestsPerSecond: number;
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
  /** Slowest and fastest round: the noise. */
  readonly requestsPerSecondMin: number;
  readonly requestsPerSecondMax: number;
  /** Requests per second as a multiple of the empty Next.js route's; null if that wasn't measured, or is void. */
  readonly ratio: number | null;
  /**
   * Milliseconds of CPU time, over all cores, for one request: load generator, server and PostgreSQL together, and
   * everything else on the machine. The number of cores divided by it is the upper limit for any arrangement of
   * processes.
   */
  readonly cpuMsPerRequest: number;
  /** The same by group of processes; null if the machine doesn't provide it. */
  readonly cpuSplitMsPerRequest: CpuSplit | null;
  /** Share of all cores' time that was busy, 0 to 1. */
  readonly cpuBusyPart: number;
  /** Share of all cores' time that went to strangers in the most disturbed round, 0 to 1; null if unknown. */
  readonly strangersPart: number | null;
  /** Too much was disturbed: the figures are void, and no goal is judged. */
  readonly isVoid: boolean;
  readonly goal: (Goal & { readonly isReached: boolean }) | null;
}

export interface Report {
  readonly machine: { readonly cores: number; readonly node: string; readonly platform: string };
  readonly seconds: number;
  readonly rounds: number;
  readonly cases: readonly CaseReport[];
}

/** Computes medians, noise and ratios of the measurements. */
export function reportOf(measured: readonly MeasuredCase[], seconds: number): Report {
  const base = measured.find(({ name }) => name === BASE_CASE);
  const baseRate = base && !isDisturbed(strangersPartOf(base)) ? rateOf(base) : null;
  return {
    machine: { cores: availableParallelism(), node: process.version, platform: process.platform },
    seconds,
    rounds: Math.max(0, ...measured.map(({ rounds }) => rounds.length)),
    cases: measured.map((one) => caseReport(one, baseRate)),
  };
}

const strangersPartOf = ({ rounds }: MeasuredCase) => mostOfKnown(rounds.map(({ cpu }) => cpu.strangersPart));
const isDisturbed = (strangersPart: number | null) =>
  strangersPart !== null && strangersPart > STRANGERS_PART_MAX;
const rateOf = ({ rounds }: MeasuredCase) => median(rounds.map((round) => round.requestsPerSecond));

function caseReport(one: MeasuredCase, baseRate: number | null): CaseReport {
  const { name, title, isPaced = false, rounds } = one;
  const rates = rounds.map((round) => round.requestsPerSecond);
  const strangersPart = strangersPartOf(one);
  const figures = {
    requestsPerSecond: rateOf(one),
    p50Ms: medianOfKnown(rounds.map((round) => round.p50Ms)),
    ratio: baseRate !== null && !isPaced ? rateOf(one) / baseRate : null,
  };
  return {
    name,
    title,
    isPaced,
    rounds,
    ...figures,
    p99Ms: medianOfKnown(rounds.map((round) => round.p99Ms)),
    requestsPerSecondMin: Math.min(...rates),
    requestsPerSecondMax: Math.max(...rates),
    cpuMsPerRequest: median(rounds.map(({ cpu, requests }) => cpu.busyMs / requests)),
    cpuSplitMsPerRequest: splitOf(rounds),
    cpuBusyPart: median(rounds.map((round) => round.cpu.busyPart)),
    strangersPart,
    isVoid: isDisturbed(strangersPart),
    goal: one.goal === undefined ? null : judged(one.goal, figures[one.goal.of]),
  };
}

function medianOfKnown(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length > 0 ? median(known) : null;
}

function mostOfKnown(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length > 0 ? Math.max(...known) : null;
}

function splitOf(rounds: readonly MeasuredRound[]): CpuSplit | null {
  const partOf = (group: ProcessGroup) =>
    medianOfKnown(
      rounds.map(({ cpu, requests }) => (cpu.split === null ? null : cpu.split[group] / requests)),
    );
  const [node, postgres, load] = [partOf("node"), partOf("postgres"), partOf("load")];
  return node === null || postgres === null || load === null ? null : { node, postgres, load };
}

/** Null if the figure wasn't measured. */
function judged(goal: Goal, value: number | null): CaseReport["goal"] {
  if (value === null || Number.isNaN(value)) return null;
  return { ...goal, isReached: "atLeast" in goal ? value >= goal.atLeast : value <= goal.atMost };
}

/** Returns unexpected responses; figures with any are worthless. */
export function wrongAnswers(report: Report): string[] {
  return report.cases.flatMap(({ title, rounds }) =>
    rounds.flatMap(({ wrong }) =>
      Object.entries(wrong).map(
        ([status, count]) => `${title}: ${count} × ${status === "0" ? "no answer" : status}`,
      ),
    ),
  );
}

const cpuColumn = (head: string, group: ProcessGroup) => ({
  head,
  cell: ({ cpuSplitMsPerRequest }: CaseReport) => cpuSplitMsPerRequest?.[group].toFixed(2) ?? "",
});

const COLUMNS: readonly { readonly head: string; cell(report: CaseReport, isJudged: boolean): string }[] = [
  { head: "", cell: ({ title }) => title },
  {
    head: "requests/s",
    cell: ({ requestsPerSecond, isPaced }) => (isPaced ? "" : requestsPerSecond.toFixed(0)),
  },
  {
    head: "slowest–fastest round",
    cell: ({ requestsPerSecondMin, requestsPerSecondMax, isPaced }) =>
      isPaced ? "" : `${requestsPerSecondMin.toFixed(0)}–${requestsPerSecondMax.toFixed(0)}`,
  },
  { head: "p50 ms", cell: ({ p50Ms }) => p50Ms?.toFixed(1) ?? "" },
  { head: "p99 ms", cell: ({ p99Ms }) => p99Ms?.toFixed(1) ?? "" },
  { head: "CPU ms/request", cell: ({ cpuMsPerRequest }) => cpuMsPerRequest.toFixed(2) },
  cpuColumn("node", "node"),
  cpuColumn("PostgreSQL", "postgres"),
  cpuColumn("load", "load"),
  { head: "CPU busy", cell: ({ cpuBusyPart }) => percentOf(cpuBusyPart) },
  {
    head: "strangers",
    cell: ({ strangersPart }) => (strangersPart === null ? "" : percentOf(strangersPart)),
  },
  { head: "× empty Next", cell: ({ ratio }) => (ratio === null ? "" : ratio.toFixed(2)) },
  {
    head: "goal",
    cell: ({ goal, isVoid }, isJudged) =>
      goal === null ? "" : `${goalText(goal)} ${goalVerdict(goal.isReached, isVoid, isJudged)}`,
  },
];

const GOAL_UNITS = { ratio: "×", requestsPerSecond: "/s", p50Ms: " ms" } as const;

function goalText(goal: Goal): string {
  const unit = GOAL_UNITS[goal.of];
  return "atLeast" in goal ? `≥ ${goal.atLeast}${unit}` : `p50 ≤ ${goal.atMost}${unit}`;
}

const percentOf = (part: number) => `${(100 * part).toFixed(0)} %`;
const verdict = (isReached: boolean) => (isReached ? "reached" : "missed");

function goalVerdict(isReached: boolean, isVoid: boolean, isJudged: boolean): string {
  if (isVoid) return "void";
  return isJudged ? verdict(isReached) : "?";
}

/** Below this, warm-up or a short stall dominates. */
const JUDGED_FROM = { rounds: 3, seconds: 5 } as const;
const GOALS_ARE =
  "Goals are Waypost's own, for 2 cores with the load generator on them; × is a multiple of an empty Next.js route here.";

/** Formats the report as a table. A run that is too short to judge says so in place of verdicts. */
export function tableOf(report: Report): string {
  const { machine, seconds, rounds } = report;
  const isJudged = rounds >= JUDGED_FROM.rounds && seconds >= JUDGED_FROM.seconds;
  const tooShort = `Too short to judge goals: that takes ${JUDGED_FROM.rounds} rounds of ${JUDGED_FROM.seconds} s at least.`;
  const lines = alignedRows([
    COLUMNS.map(({ head }) => head),
    ...report.cases.map((one) => COLUMNS.map(({ cell }) => cell(one, isJudged))),
  ]);
  const repeated = rounds === 1 ? "One round" : `Medians of ${rounds} rounds`;
  const measured = `${repeated} of ${seconds} s each, 32 connections, ${machine.cores} cores, Node ${machine.node}`;
  return [
    ...lines,
    "",
    ...report.cases.flatMap(factsOf),
    measured,
    ...(isJudged ? [] : [tooShort]),
    ...report.cases.filter(({ isVoid }) => isVoid).map(voidText),
    GOALS_ARE,
  ].join("\n");
}

/** Aligns columns: the first to the left, figures to the right. */
export function alignedRows(rows: readonly (readonly string[])[]): string[] {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const aligned = (text: string, column: number) =>
    column === 0 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0);
  return rows.map((row) => row.map(aligned).join("  "));
}

function voidText({ title, strangersPart }: CaseReport): string {
  const [part, most] = [strangersPart ?? NaN, STRANGERS_PART_MAX].map((value) => (100 * value).toFixed(1));
  return `VOID: ${title}: other processes took ${part} % of the CPU, more than ${most} %. Measure again on a quiet machine.`;
}

function factsOf({ title, rounds, isVoid }: CaseReport): string[] {
  const facts = rounds.flatMap((round) => round.facts ?? []);
  return facts.length === 0 ? [] : [title, ...facts.map((fact) => `  ${factText(fact, isVoid)}`), ""];
}

function factText({ name, value, atMost }: Fact, isVoid: boolean): string {
  const text = `${name}: ${Number.isInteger(value) ? value : value.toFixed(1)}`;
  return atMost === undefined ? text : `${text} (≤ ${atMost} ${isVoid ? "void" : verdict(value <= atMost)})`;
}
