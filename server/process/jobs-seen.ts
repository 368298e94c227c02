import type { Executor } from "@/db/client";
import type { Services } from "../context";

const ROW = "jobs_seen";
const SWEEP_ROW = "sweep_ran";
const SERVER_ROW = "inngest_ran";
/** Several times as long as a living process needs to say so again. */
const SEEN_FOR_SECONDS = 20;

/** Some process runs jobs now. Called often by each that does. */
export async function noteJobs({ sql }: Services): Promise<void> {
  await sql`
    insert into installation (name, value) values (${ROW}, '')
    on conflict (name) do update set updated_at = clock_timestamp()`;
}

/** A process that ran jobs stops; others that do say so again within seconds. */
export async function forgetJobs({ sql }: Services): Promise<void> {
  await sql`delete from installation where name = ${ROW}`;
}

/** Whether a process that runs jobs was alive just now, by the database's clock. */
export async function areJobsRun({ sql }: Services): Promise<boolean> {
  const rows = await sql`
    select 1 from installation
    where name = ${ROW} and updated_at > clock_timestamp() - make_interval(secs => ${SEEN_FOR_SECONDS})`;
  return rows.length > 0;
}

/** A sweep has taken all of its steps. */
export async function noteSweep({ sql }: Services): Promise<void> {
  await sql`
    insert into installation (name, value) values (${SWEEP_ROW}, '')
    on conflict (name) do update set updated_at = clock_timestamp()`;
}

/** An Inngest server has run a function. */
export async function noteServerRan({ sql }: Pick<Services, "sql">): Promise<void> {
  await sql`
    insert into installation (name, value) values (${SERVER_ROW}, '')
    on conflict (name) do update set updated_at = clock_timestamp()`;
}

/** Since an Inngest server last ran a function, in whichever process; null when none ever did. */
export async function serverRanSecondsAgo({ sql }: Pick<Services, "sql">): Promise<number | null> {
  return (await jobsSeen(sql)).serverRanSecondsAgo;
}

/** An Inngest server that runs functions runs a sweep every ten seconds. */
export const SERVER_QUIET_SECONDS = 25;

/** Whether an Inngest server ran a function just now; while none does, the processes that run jobs stand in for it. */
export async function doesServerRun({ sql }: Pick<Services, "sql">): Promise<boolean> {
  const { serverRanSecondsAgo: ago } = await jobsSeen(sql);
  return ago !== null && ago < SERVER_QUIET_SECONDS;
}

export interface JobsSeen {
  readonly areRun: boolean;
  /** Since the last sweep that took all of its steps; null when none ever did. */
  readonly sweptSecondsAgo: number | null;
  /** Since an Inngest server last ran a function; null when none ever did. */
  readonly serverRanSecondsAgo: number | null;
}

/** Whether jobs are run, as far as the database knows. */
export async function jobsSeen(sql: Executor): Promise<JobsSeen> {
  const rows = await sql<{ name: string; secondsAgo: number }[]>`
    select name, extract(epoch from clock_timestamp() - updated_at)::float8 as "secondsAgo"
    from installation where name in (${ROW}, ${SWEEP_ROW}, ${SERVER_ROW})`;
  const secondsAgo = (name: string) => rows.find((row) => row.name === name)?.secondsAgo ?? null;
  const seenSecondsAgo = secondsAgo(ROW);
  return {
    areRun: seenSecondsAgo !== null && seenSecondsAgo < SEEN_FOR_SECONDS,
    sweptSecondsAgo: secondsAgo(SWEEP_ROW),
    serverRanSecondsAgo: secondsAgo(SERVER_ROW),
  };
}
