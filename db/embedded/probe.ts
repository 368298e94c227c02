import { setTimeout as delay } from "node:timers/promises";
import postgres from "postgres";
import { errorCode } from "@/db/embedded/files";
import type { EmbeddedConnection } from "@/db/embedded/run-file";

const CONNECT_TIMEOUT_S = 5;
const QUERY_TIMEOUT_MS = 5_000;
const RETRY_MS = 20;
/** SQLSTATE cannot_connect_now: the server is starting, recovering or shutting down. */
const NOT_YET = "57P03";
/** SQLSTATE class invalid_authorization_specification: a retry won't help. */
const WRONG_PASSWORD = /^28/;

/** Result of one attempt to connect to a server. */
type ProbeResult =
  | { readonly kind: "answers"; readonly dataDirectory: string }
  | { readonly kind: "not yet" }
  | { readonly kind: "refuses"; readonly error: unknown };

/** Options of postgres.js for one short-lived connection. `database` defaults to the connection's own. */
export function connectionOptions(connection: EmbeddedConnection, database = connection.database) {
  const { socketDirectory: host, port, user, password } = connection;
  return { host, port, user, password, database };
}

/** Opens a connection, does the work and closes the connection in any case. */
export async function withConnection<T>(
  connection: EmbeddedConnection,
  database: string,
  work: (sql: postgres.Sql) => Promise<T>,
): Promise<T> {
  const sql = postgres({
    ...connectionOptions(connection, database),
    max: 1,
    fetch_types: false,
    connect_timeout: CONNECT_TIMEOUT_S,
    onnotice: () => undefined,
  });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 0 });
  }
}

/** Makes one attempt, which ends within ten seconds. */
async function probe(connection: EmbeddedConnection): Promise<ProbeResult> {
  try {
    const rows = await withConnection(connection, "postgres", (sql) =>
      withinTime(
        sql<{ dataDirectory: string }[]>`SELECT current_setting('data_directory') AS "dataDirectory"`,
      ),
    );
    return { kind: "answers", dataDirectory: rows[0]?.dataDirectory ?? "" };
  } catch (error) {
    return errorCode(error) === NOT_YET ? { kind: "not yet" } : { kind: "refuses", error };
  }
}

/**
 * Probes until the server accepts a connection. "Not yet" is retried without a limit, because recovery can take long. A
 * wrong password isn't retried, and another refusal for `patienceMs`. Returns null if `isOver` says so, and otherwise
 * the last result.
 */
export async function probeUntilAnswer(
  connection: EmbeddedConnection,
  { patienceMs, isOver }: { patienceMs: number; isOver: () => boolean | Promise<boolean> },
): Promise<ProbeResult | null> {
  let deadlineMs = performance.now() + patienceMs;
  while (!(await isOver())) {
    const result = await probe(connection);
    if (result.kind === "answers") return result;
    if (result.kind === "not yet") deadlineMs = performance.now() + patienceMs;
    else if (WRONG_PASSWORD.test(errorCode(result.error) ?? "")) return result;
    else if (performance.now() > deadlineMs) return result;
    await delay(RETRY_MS);
  }
  return null;
}

async function withinTime<T>(query: PromiseLike<T>): Promise<T> {
  const timer = new AbortController();
  const overtime = delay(QUERY_TIMEOUT_MS, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`No answer within ${QUERY_TIMEOUT_MS} ms`);
  });
  try {
    return await Promise.race([query, overtime]);
  } finally {
    overtime.catch(() => undefined);
    timer.abort();
  }
}
