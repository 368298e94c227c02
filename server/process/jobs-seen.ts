import type { Services } from "../context";

const ROW = "jobs_seen";
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
