import { readFileSync } from "node:fs";
import { httpCall } from "@/e2e/support/http-call";
import { statementCounts } from "@/e2e/support/statement-counts";
import { watchCpu } from "./cpu";
import type { BenchWaypost } from "./waypost";

/** The work of the program and its database during some time. */
export interface Activity {
  readonly seconds: number;
  /** Milliseconds of CPU time. */
  readonly nodeMs: number;
  readonly postgresMs: number;
  /** Without those that begin and end transactions. */
  readonly statements: number;
  /** Write calls of the program, to sockets and files. NaN if the machine doesn't tell. */
  readonly writes: number;
  readonly jobRuns: number;
}

/** A value for `WAYPOST_METRICS_TOKEN`, by which the bench reads the program's counters. */
export const METRICS_TOKEN = "bench-reads-the-metrics-of-this-process";

/** Starts counting; the returned function gives the activity since then. Needs `pg_stat_statements`. */
export async function watchActivity(waypost: BenchWaypost): Promise<() => Promise<Activity>> {
  const startedAtMs = performance.now();
  const before = await countsOf(waypost);
  const cpuUsed = watchCpu(new Set([waypost.server.pid]));
  return async () => {
    const { split } = cpuUsed();
    const seconds = (performance.now() - startedAtMs) / 1000;
    const after = await countsOf(waypost);
    return {
      seconds,
      nodeMs: split?.node ?? NaN,
      postgresMs: split?.postgres ?? NaN,
      statements: after.statements - before.statements,
      writes: after.writes - before.writes,
      jobRuns: after.jobRuns - before.jobRuns,
    };
  };
}

async function countsOf({ server, sql }: BenchWaypost) {
  const counts = await statementCounts(sql);
  const io = textOf(`/proc/${server.pid}/io`);
  return {
    statements: [...counts.values()].reduce((sum, calls) => sum + calls, 0),
    writes: io === null ? NaN : Number(/^syscw: (\d+)$/m.exec(io)?.[1]),
    jobRuns: await jobRunsOf(server.baseUrl),
  };
}

/** @returns all metrics of a server that was started with the token, in Prometheus's text format. */
export async function readMetrics(baseUrl: string): Promise<string> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  const { status, text } = await httpCall({ method: "GET", url: `${baseUrl}/metrics`, headers });
  if (status !== 200) throw new Error(`The metrics were answered ${status}`);
  return text;
}

async function jobRunsOf(baseUrl: string): Promise<number> {
  const runs = [...(await readMetrics(baseUrl)).matchAll(/^waypost_job_runs_total\{.*\} (\d+)$/gm)];
  return runs.reduce((sum, [, count]) => sum + Number(count), 0);
}

/**
 * Committed and aborted transactions so far. A connection reports its own with a delay of up to ten seconds.
 */
export async function transactionsOf({ sql }: BenchWaypost): Promise<number> {
  const [row] = await sql<{ transactions: number }[]>`
    select (xact_commit + xact_rollback)::int as transactions from pg_stat_database
    where datname = current_database()`;
  return row?.transactions ?? NaN;
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
