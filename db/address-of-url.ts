import { createPool, type DatabaseAddress } from "./client";

/** Prisma's and Supabase's word for a PgBouncer in transaction mode; PostgreSQL would refuse it as a setting. */
const POOLER_PARAMETER = "pgbouncer";
const PREPARE_PARAMETER = "prepare";

/**
 * The address of `DATABASE_URL`, with statements prepared where that is safe. Behind a pooler such as PgBouncer in
 * transaction mode each transaction may be given another connection of PostgreSQL, which doesn't know what the last one
 * prepared. A pooler is known by `pgbouncer=true` in the URL, else by asking: the process id that its greeting names isn't
 * the one that answers. `prepare=true` or `prepare=false` in the URL decides without asking, whatever else it says.
 * @throws the driver's error when the database doesn't answer.
 */
export async function addressOfUrl(databaseUrl: string): Promise<DatabaseAddress> {
  const { url, value } = without(databaseUrl, POOLER_PARAMETER);
  if (without(url, PREPARE_PARAMETER).value !== null) return { url };
  if (value === "true") return { url, isPrepared: false };
  return { url, isPrepared: !(await isPooled(url)) };
}

/** For what runs few statements, each once: nothing is prepared, and nobody has to be asked. */
export function addressForOnce(databaseUrl: string): DatabaseAddress {
  return { url: without(databaseUrl, POOLER_PARAMETER).url, isPrepared: false };
}

/** The URL without a parameter of its query, and what that was. Nothing else of it is touched: it may name several hosts. */
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
