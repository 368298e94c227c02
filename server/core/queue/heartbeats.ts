import { randomUUID } from "node:crypto";
import type { Executor } from "@/db/client";
import type { Services } from "../context";

/** Prefix of the row names. Each process that runs jobs has one row. */
const RUNNER_PREFIX = "jobs_seen";
const SWEEP_ROW = "sweep_ran";
const SERVER_ROW = "inngest_ran";
/** Several times the heartbeat interval. */
const SEEN_FOR_SECONDS = 20;
/** Id of this process among those that run jobs. */
const THIS_PROCESS: string = randomUUID();

const rowOf = (runner: string) => `${RUNNER_PREFIX}:${runner}`;

/** Records that a process runs jobs. Each such process must call it regularly. */
export async function recordJobHeartbeat({ sql }: Services, runner = THIS_PROCESS): Promise<void> {
  await sql`
    insert into installation (name, value) values (${rowOf(runner)}, '')
    on conflict (name) do update set updated_at = clock_timestamp()`;
}

/** Records that a process has stopped running jobs. */
export async function removeJobHeartbeat({ sql }: Services, runner = THIS_PROCESS): Promise<void> {
  await sql`delete from installation where name = ${rowOf(runner)}`;
}

/** Removes the rows of processes that died. A process that is only slow writes its row again. */
export async function removeStaleHeartbeats({ sql }: Services): Promise<void> {
  await sql`
    delete from installation where starts_with(name, ${RUNNER_PREFIX})
      and updated_at < clock_timestamp() - make_interval(secs => ${SEEN_FOR_SECONDS})`;
}

/** Returns true if a process that runs jobs was alive recently, by the database's clock. */
export async function areJobsRun({ sql }: Pick<Services, "sql">): Promise<boolean> {
  return (await readJobHeartbeats(sql)).areRun;
}

/** Records that a sweep has run all of its steps. */
export async function recordSweep({ sql }: Services): Promise<void> {
  await sql`
    insert into installation (name, value) values (${SWEEP_ROW}, '')
    on conflict (name) do update set updated_at = clock_timestamp()`;
}

/** Takes the time that a moved clock skipped out of the heartbeats: nothing had stopped in it. */
export async function skipHeartbeats(sql: Executor, skippedMs: number): Promise<void> {
  await sql`
    update installation set updated_at = updated_at + make_interval(secs => ${skippedMs / 1000}::float8)
    where starts_with(name, ${RUNNER_PREFIX}) or name in (${SWEEP_ROW}, ${SERVER_ROW})`;
}

/** Records that an Inngest server has run a function. */
export async function recordServerRan({ sql }: Pick<Services, "sql">): Promise<void> {
  await sql`
    insert into installation (name, value) values (${SERVER_ROW}, '')
    on conflict (name) do update set updated_at = clock_timestamp()`;
}

/** Seconds since an Inngest server last ran a function, in any process. Null if none ever did. */
export async function serverRanSecondsAgo({ sql }: Pick<Services, "sql">): Promise<number | null> {
  return (await readJobHeartbeats(sql)).serverRanSecondsAgo;
}

/** Limit above the sweep interval: a working Inngest server runs a sweep every ten seconds. */
export const SERVER_QUIET_SECONDS = 25;

/**
 * Returns true if an Inngest server ran a function recently. While none does, the processes that run jobs take over.
 */
export async function doesServerRun({ sql }: Pick<Services, "sql">): Promise<boolean> {
  const { serverRanSecondsAgo: ago } = await readJobHeartbeats(sql);
  return ago !== null && ago < SERVER_QUIET_SECONDS;
}

export interface JobHeartbeats {
  readonly areRun: boolean;
  /** Seconds since the last heartbeat of a process that runs jobs. Null if none is known. */
  readonly heartbeatSecondsAgo: number | null;
  /** Seconds since the last sweep that ran all of its steps. Null if none ever did. */
  readonly sweptSecondsAgo: number | null;
  /** Seconds since an Inngest server last ran a function. Null if none ever did. */
  readonly serverRanSecondsAgo: number | null;
}

/** Reads from the database whether jobs are being run. */
export async function readJobHeartbeats(sql: Executor): Promise<JobHeartbeats> {
  const rows = await sql<{ name: string; secondsAgo: number }[]>`
    select name, extract(epoch from clock_timestamp() - updated_at)::float8 as "secondsAgo"
    from installation where starts_with(name, ${RUNNER_PREFIX}) or name in (${SWEEP_ROW}, ${SERVER_ROW})`;
  const secondsAgo = (name: string) => rows.find((row) => row.name === name)?.secondsAgo ?? null;
  const runners = rows.filter(({ name }) => name.startsWith(RUNNER_PREFIX));
  const heartbeatSecondsAgo = runners.length === 0 ? null : Math.min(...runners.map((one) => one.secondsAgo));
  return {
    areRun: heartbeatSecondsAgo !== null && heartbeatSecondsAgo < SEEN_FOR_SECONDS,
    heartbeatSecondsAgo,
    sweptSecondsAgo: secondsAgo(SWEEP_ROW),
    serverRanSecondsAgo: secondsAgo(SERVER_ROW),
  };
}
