import { createPool, type Sql } from "@/db/client";
import { readRunFile } from "@/db/embedded";
import { startWaypost, type StartOptions, type Waypost } from "./waypost";

/** Starts a server on a new embedded PostgreSQL that counts its statements. */
export async function startCounting(
  dataDir: string,
  options: Omit<StartOptions, "dataDir"> = {},
): Promise<Waypost> {
  const first = await startWaypost({ dataDir, env: { WAYPOST_DRAIN_SECONDS: "0" } });
  const before = await openDatabase(first);
  await before`alter system set shared_preload_libraries = 'pg_stat_statements'`;
  await before`create extension pg_stat_statements`;
  await before.end();
  await first.stop();
  return startWaypost({ ...options, dataDir });
}

/** Opens a connection to the server's embedded database. */
export async function openDatabase({ dataDir }: Waypost): Promise<Sql> {
  const run = await readRunFile(dataDir);
  if (run === null) throw new Error("The server wrote no run.json");
  return createPool(run.postgres, { name: "e2e", connectionsMax: 1 });
}

/** Statements that only begin or end a transaction. */
const OF_TRANSACTIONS = /^(begin|commit|rollback|savepoint|release)\b/i;

/** How often each statement ran so far in the database, by its text, without those that begin and end transactions. */
export async function statementCounts(sql: Sql): Promise<ReadonlyMap<string, number>> {
  const rows = await sql<{ text: string; calls: number }[]>`
    select s.query as text, sum(s.calls)::int as calls
    from pg_stat_statements s join pg_database d on d.oid = s.dbid
    where d.datname = current_database() and s.toplevel and s.query not like '%pg_stat_%'
    group by s.query`;
  return new Map(
    rows.filter(({ text }) => !OF_TRANSACTIONS.test(text)).map(({ text, calls }) => [text, calls]),
  );
}
