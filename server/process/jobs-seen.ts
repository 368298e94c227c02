import type { Executor } from "@/db/client";
import type { Services } from "../context";

const ROW = "jobs_seen";
const SWEEP_ROW = "sweep_ran";
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

/** A sweep has run to its end. */
export async function noteSweep({ sql }: Services): Promise<void> {
  await sql`
    insert into installation (name, value) values (${SWEEP_ROW}, '')
    on conflict (name) do update set updated_at = clock_timestamp()`;
}

export interface JobsSeen {
  readonly areRun: boolean;
  /** Since the last sweep ended; null when none ever did. */
  readonly sweptSecondsAgo: number | null;
}

/** Whether jobs are run, as far as the database knows. */
export async function jobsSeen(sql: Executor): Promise<JobsSeen> {
  const [row] = await sql<{ seenSecondsAgo: number | null; sweptSecondsAgo: number | null }[]>`
    select
      max(extract(epoch from clock_timestamp() - updated_at)::float8) filter (where name = ${ROW}) as "seenSecondsAgo",
      max(extract(epoch from clock_timestamp() - updated_at)::float8) filter (where name = ${SWEEP_ROW}) as "sweptSecondsAgo"
    from installation`;
  const { seenSecondsAgo = null, sweptSecondsAgo = null } = row ?? {};
  return { areRun: seenSecondsAgo !== null && seenSecondsAgo < SEEN_FOR_SECONDS, sweptSecondsAgo };
}
