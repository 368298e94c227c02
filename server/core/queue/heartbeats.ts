import { randomUUID } from "node:crypto";
import type { Executor } from "@/db/client";
import type { Services } from "../context";

/** Prefix of the names of rows, one for each process that runs jobs. */
const RUNNER_PREFIX = "jobs_seen";
const SWEEP_ROW = "sweep_ran";
const SERVER_ROW = "inngest_ran";
/** Several times the interval of heartbeats. */
const SEEN_FOR_SECONDS = 20;
/** This process among those that run jobs. */
const THIS_PROCESS: string = randomUUID();

const rowOf = (runner: string) => `${RUNNER_PREFIX}:${runner}`;

/** Records that a process runs jobs. Each such process calls it often. */
export async function recordJobHeartbeat({ sql }: Services, runner = THIS_PROCESS): Promise<void> {
  await sql`
    insert into installation (name, value) values (${rowOf(runner)}, '')
    on conflict (name) do update set updated_at = clock_timestamp()`;
}

/** A process that ran jobs stops. */
export async function removeJobHeartbeat({ sql }: Services, runner = THIS_PROCESS): Promise<void> {
  await sql`delete from installation where name = ${rowOf(runner)}`;
}

/** Removes the rows of processes that died. One that is only slow writes its row again. */
export async function removeStaleHeartbeats({ sql }: Services): Promise<void> {
  await sql`
    delete from installation where starts_with(name, ${RUNNER_PREFIX})
      and updated_at < clock_timestamp() - make_interval(secs => ${SEEN_FOR_SECONDS})`;
}

/** Whether a process that runs jobs was alive just now, by the database's clock. */
export async function areJobsRun({ sql }: Pick<Services, "sql">): Promise<boolean> {
  return (await readJobHeartbeats(sql)).areRun;
}

/** Records that a sweep has taken all of its steps. */
export async function recordSweep({ sql }: Services): Promise<void> {
  await sql`
    insert into installation (name, value) values (${SWEEP_ROW}, '')
    on conflict (name) do update set updated_at = clock_timestamp()`;
}

/** Records that an Inngest server has run a function. */
export async function recordServerRan({ sql }: Pick<Services, "sql">): Promise<void> {
  await sql`
    insert into installation (name, value) values (${SERVER_ROW}, '')
    on conflict (name) do update set updated_at = clock_timestamp()`;
}

/** Since an Inngest server last ran a function, in whichever process; null when none ever did. */
export async function serverRanSecondsAgo({ sql }: Pick<Services, "sql">): Promise<number | null> {
  return (await readJobHeartbeats(sql)).serverRanSecondsAgo;
}

/** An Inngest server that runs functions runs a sweep every ten seconds. */
export const SERVER_QUIET_SECONDS = 25;

/** Whether an Inngest server ran a function just now; while none does, the processes that run jobs stand in for it. */
export async function doesServerRun({ sql }: Pick<Services, "sql">): Promise<boolean> {
  const { serverRanSecondsAgo: ago } = await readJobHeartbeats(sql);
  return ago !== null && ago < SERVER_QUIET_SECONDS;
}

export interface JobHeartbeats {
  readonly areRun: boolean;
  /** Seconds since the last heartbeat of a process that runs jobs; null when none is known. */
  readonly heartbeatSecondsAgo: number | null;
  /** Since the last sweep that took all of its steps; null when none ever did. */
  readonly sweptSecondsAgo: number | null;
  /** Since an Inngest server last ran a function; null when none ever did. */
  readonly serverRanSecondsAgo: number | null;
}

/** Reads whether jobs are run, as far as the database knows. */
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
