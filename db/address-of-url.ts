import { createPool, type DatabaseAddress } from "./client";

/**
 * The parameter with which Prisma and Supabase mark a PgBouncer in transaction mode. PostgreSQL would refuse it as a
 * setting.
 */
const POOLER_PARAMETER = "pgbouncer";
const PREPARE_PARAMETER = "prepare";

/**
 * Returns the address of `DATABASE_URL`, with prepared statements if they are safe. Behind a connection pooler such as
 * PgBouncer in transaction mode, each transaction may get another connection of PostgreSQL, which doesn't have the
 * statements that the last one prepared. A pooler is detected by `pgbouncer=true` in the URL, or else by a query: the
 * process id in its greeting differs from the one that responds. `prepare=true` or `prepare=false` in the URL decides
 * without a query and takes priority.
 * @throws the driver's error if the database doesn't respond.
 */
export async function addressOfUrl(databaseUrl: string): Promise<DatabaseAddress> {
  const { url, value } = without(databaseUrl, POOLER_PARAMETER);
  if (without(url, PREPARE_PARAMETER).value !== null) return { url };
  if (value === "true") return { url, isPrepared: false };
  return { url, isPrepared: !(await isPooled(url)) };
}

/** Returns an address for code that runs few statements, each once: it prepares none, so no query is needed. */
export function addressForOnce(databaseUrl: string): DatabaseAddress {
  return { url: without(databaseUrl, POOLER_PARAMETER).url, isPrepared: false };
}

/**
 * Removes a parameter from the URL's query, and returns its value. The rest of the URL is unchanged, because it may
 * contain several hosts.
 */
function without(url: string, parameter: string): { url: string; value: string | null } {
  const [base = ""] = url.split("?", 1);
  const query = url.slice(base.length + 1);
  const parameters = query.split("&").filter((one) => one !== "");
  const isIt = (one: string) => one.startsWith(`${parameter}=`);
  const kept = parameters.filter((one) => !isIt(one)).join("&");
  const value = parameters.find(isIt)?.slice(parameter.length + 1) ?? null;
  return { url: kept === "" ? base : `${base}?${kept}`, value };
}

async function isPooled(url: string): Promise<boolean> {
  const pool = createPool({ url, isPrepared: false }, { name: "look", connectionsMax: 1 });
  try {
    const rows = await pool<{ pid: number }[]>`select pg_backend_pid() as pid`;
    return rows[0]?.pid !== rows.state.pid;
  } finally {
    await pool.end({ timeout: 1 });
  }
}
