import { availableParallelism } from "node:os";
import type { CpuUse } from "./cpu";
import type { LoadResult } from "./load";
import { median } from "./statistics";

/** What POST /messages is to reach, as a multiple of the empty Next.js route (design section 12). */
const GOAL = { case: "post-new", of: "empty-next", ratio: 2.5 } as const;

/** One round of one case, and what the machine spent on it. */
export interface MeasuredRound extends LoadResult {
  readonly cpu: CpuUse;
}

export interface CaseReport {
  readonly name: string;
  readonly title: string;
  readonly isPaced: boolean;
  /** Medians of the rounds. */
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Slowest and fastest round: the noise. */
  readonly requestsPerSecondMin: number;
  readonly requestsPerSecondMax: number;
  /** Requests a second as a multiple of the empty Next.js route's; null where that wasn't measured. */
  readonly ratio: number | null;
  /**
   * Milliseconds of CPU time, over all cores, for one request: load generator, server and PostgreSQL together. The
   * number of cores divided by it is the most that any arrangement of processes could answer.
   */
  readonly cpuMsPerRequest: number;
  /** Part of all cores' time that was busy, 0 to 1. */
  readonly cpuBusyPart: number;
  readonly rounds: readonly MeasuredRound[];
}

export interface Report {
  readonly machine: { readonly cores: number; readonly node: string; readonly platform: string };
  readonly seconds: number;
  readonly rounds: number;
  readonly cases: readonly CaseReport[];
  /** Null where one of the two wasn't measured. */
  readonly goal: { readonly ratio: number; readonly expected: number; readonly isReached: boolean } | null;
}

export interface MeasuredCase {
  readonly name: string;
  readonly title: string;
  /** Sent at a given pace: requests a second say nothing then. */
  readonly isPaced: boolean;
  readonly rounds: readonly MeasuredRound[];
}

/** Medians, noise and ratios of what was measured. */
export function reportOf(measured: readonly MeasuredCase[], seconds: number): Report {
  const rate = ({ rounds }: MeasuredCase) => median(rounds.map((round) => round.requestsPerSecond));
  const base = measured.find(({ name }) => name === GOAL.of);
  const cases = measured.map((one): CaseReport => {
    const rates = one.rounds.map((round) => round.requestsPerSecond);
    return {
      ...one,
      requestsPerSecond: rate(one),
      p50Ms: median(one.rounds.map((round) => round.p50Ms)),
      p99Ms: median(one.rounds.map((round) => round.p99Ms)),
      requestsPerSecondMin: Math.min(...rates),
      requestsPerSecondMax: Math.max(...rates),
      ratio: base && !one.isPaced ? rate(one) / rate(base) : null,
      cpuMsPerRequest: median(
        one.rounds.map((round) => round.cpu.busyMs / (round.requestsPerSecond * seconds)),
      ),
      cpuBusyPart: median(one.rounds.map((round) => round.cpu.busyPart)),
    };
  });
  const ratio = cases.find(({ name }) => name === GOAL.case)?.ratio ?? null;
  return {
    machine: { cores: availableParallelism(), node: process.version, platform: process.platform },
    seconds,
    rounds: Math.max(0, ...measured.map(({ rounds }) => rounds.length)),
    cases,
    goal: ratio === null ? null : { ratio, expected: GOAL.ratio, isReached: ratio >= GOAL.ratio },
  };
}

/** Answers that weren't the expected ones; a figure with any is worth nothing. */
export function wrongAnswers(report: Report): string[] {
  return report.cases.flatMap(({ title, rounds }) =>
    rounds.flatMap(({ wrong }) =>
      Object.entries(wrong).map(
        ([status, count]) => `${title}: ${count} × ${status === "0" ? "no answer" : status}`,
      ),
    ),
  );
}

const COLUMNS: readonly { readonly head: string; cell(report: CaseReport): string }[] = [
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
  { head: "p50 ms", cell: ({ p50Ms }) => p50Ms.toFixed(1) },
  { head: "p99 ms", cell: ({ p99Ms }) => p99Ms.toFixed(1) },
  { head: "CPU ms/request", cell: ({ cpuMsPerRequest }) => cpuMsPerRequest.toFixed(2) },
  { head: "CPU busy", cell: ({ cpuBusyPart }) => `${(100 * cpuBusyPart).toFixed(0)} %` },
  { head: "× empty Next", cell: ({ ratio }) => (ratio === null ? "" : ratio.toFixed(2)) },
];

/** The report as a table for people. */
export function tableOf(report: Report): string {
  const rows = [
    COLUMNS.map(({ head }) => head),
    ...report.cases.map((one) => COLUMNS.map(({ cell }) => cell(one))),
  ];
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((text, column) =>
        column === 0 ? text.padEnd(widths[0] ?? 0) : text.padStart(widths[column] ?? 0),
      )
      .join("  "),
  );
  const { machine, seconds, rounds, goal } = report;
  const measured = `Medians of ${rounds} rounds of ${seconds} s each, 32 connections, ${machine.cores} cores, Node ${machine.node}`;
  const verdict =
    goal &&
    `POST /messages is ${goal.ratio.toFixed(2)} × the empty Next.js route; the goal of ${goal.expected} is ${goal.isReached ? "reached" : "missed"}`;
  return [...lines, "", measured, ...(verdict ? [verdict] : [])].join("\n");
}
