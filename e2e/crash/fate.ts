import type { Sql } from "@/db/client";
import { isDatabaseUnavailable } from "@/db/errors";
import { type Ledger, readLedger } from "@/e2e/support/simulator";
import { until } from "@/e2e/support/until";

/** The outcome of accepted messages: the database's view compared with the upstream's own record. */
export interface Fate {
  readonly accepted: number;
  /** The upstream has it exactly once. */
  readonly once: number;
  /** The upstream doesn't have it, and the message says so: counts by code. */
  readonly failed: Readonly<Record<string, number>>;
  /** The upstream doesn't have it, but that isn't certain: it waits for evidence, and is not sent again. */
  readonly uncertain: number;
  /** Ids of messages that the upstream has more than once. */
  readonly twice: readonly string[];
  /** Ids of messages in none of these groups. */
  readonly lost: readonly string[];
}

interface Row {
  readonly id: string;
  readonly state: string;
  readonly errorCode: string | null;
  readonly isInDoubt: boolean;
}

/** Compares the promises to clients with the upstream's record. */
export async function fateOf(
  sql: Sql,
  simulatorUrl: string,
  accepted: ReadonlyMap<string, string>,
): Promise<Fate> {
  const ids = [...accepted.values()];
  const entries = countByMessage((await readLedger(simulatorUrl)).messages);
  const rows = await sql<Row[]>`
    select id, state, error_code as "errorCode", in_doubt_since is not null as "isInDoubt"
    from messages where id = any(${ids}::uuid[])`;
  const missing = rows.filter(({ id }) => !entries.has(id));
  const uncertain = missing.filter(isUncertain);
  const codes = missing.flatMap((row) => (isUncertain(row) || row.errorCode === null ? [] : [row.errorCode]));
  const explained = new Set(missing.filter((row) => isUncertain(row) || row.errorCode).map(({ id }) => id));
  const timesUpstream = (id: string) => entries.get(id) ?? 0;
  return {
    accepted: ids.length,
    once: ids.filter((id) => timesUpstream(id) === 1).length,
    failed: tally(codes),
    uncertain: uncertain.length,
    twice: ids.filter((id) => timesUpstream(id) > 1),
    lost: ids.filter((id) => timesUpstream(id) === 0 && !explained.has(id)),
  };
}

function isUncertain({ state, errorCode, isInDoubt }: Row): boolean {
  return errorCode === "upstream_unconfirmed" || (state === "queued" && isInDoubt);
}

/** Counts the ledger's calls or messages by our id. */
export function countByMessage(entries: Ledger["calls"] | Ledger["messages"]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { biz_opaque_callback_data: id } of entries)
    if (id !== null) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

function tally(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

/**
 * Waits until no message has to be handed upstream, and no call is without an outcome. PostgreSQL may be unavailable in
 * the meantime.
 */
export async function untilHandedUpstream(sql: Sql, timeoutMs?: number): Promise<void> {
  const areAll = async () => {
    const rows = await sql<{ count: number }[]>`
      select count(*)::int as count from messages where state = 'queued' and in_doubt_since is null`.catch(
      whileAway,
    );
    return rows?.[0]?.count === 0;
  };
  await until("everything is handed upstream", areAll, { timeoutMs, intervalMs: 100 });
}

/** Ignores the error of a statement that ran while PostgreSQL was killed, or right after. */
export function whileAway(error: unknown): null {
  if (isDatabaseUnavailable(error)) return null;
  throw error;
}

/** Counts upstream calls that started at least that long ago and have no stored outcome. */
export async function openCalls(sql: Sql, ageSeconds = 0): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from message_attempts
    where outcome is null and started_at <= now() - make_interval(secs => ${ageSeconds})`;
  return row?.count ?? 0;
}

/** Counts upstream calls that were ever in doubt because no response was stored. */
export async function doubtedCalls(sql: Sql): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from message_events where kind = 'uncertain'`;
  return row?.count ?? 0;
}

/** Counts upstream calls that had started by then, and ended later or not at all. */
export async function callsLeftAt(sql: Sql, at: Date): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from message_attempts
    where started_at < ${at} and (outcome is null or finished_at > ${at})`;
  return row?.count ?? 0;
}
