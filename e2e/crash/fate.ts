import type { Sql } from "@/db/client";
import { readLedger } from "@/e2e/support/simulator";

/** What became of accepted messages: the database's view beside the upstream's own record. */
export interface Fate {
  readonly accepted: number;
  /** The upstream has it exactly once. */
  readonly once: number;
  /** The upstream doesn't have it, and nobody knows that for certain: it waits for evidence, and is not sent again. */
  readonly uncertain: number;
  /** Ids of messages that the upstream has more than once. */
  readonly twice: readonly string[];
  /** Ids of messages that are neither upstream nor uncertain. */
  readonly lost: readonly string[];
}

/** Compares what clients were promised with what the upstream got. */
export async function fateOf(
  sql: Sql,
  simulatorUrl: string,
  accepted: ReadonlyMap<string, string>,
): Promise<Fate> {
  const ids = [...accepted.values()];
  const entries = new Map<string | null, number>();
  for (const { biz_opaque_callback_data: id } of (await readLedger(simulatorUrl)).messages) {
    entries.set(id, (entries.get(id) ?? 0) + 1);
  }
  const rows = await sql<{ id: string }[]>`
    select id from messages where id = any(${ids}::uuid[])
      and (error_code = 'upstream_unconfirmed' or (state = 'queued' and in_doubt_since is not null))`;
  const uncertain = new Set(rows.map(({ id }) => id));
  const timesUpstream = (id: string) => entries.get(id) ?? 0;
  return {
    accepted: ids.length,
    once: ids.filter((id) => timesUpstream(id) === 1).length,
    uncertain: ids.filter((id) => timesUpstream(id) === 0 && uncertain.has(id)).length,
    twice: ids.filter((id) => timesUpstream(id) > 1),
    lost: ids.filter((id) => timesUpstream(id) === 0 && !uncertain.has(id)),
  };
}

/** Messages that still have to be handed upstream, or whose call has no outcome yet. */
export async function unfinished(sql: Sql): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from messages where state = 'queued' and in_doubt_since is null`;
  return row?.count ?? 0;
}

/** Calls upstream of which nobody has noted yet how they ended. */
export async function openCalls(sql: Sql): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from message_attempts where outcome is null`;
  return row?.count ?? 0;
}

/** Calls upstream that were ever in doubt because no answer was stored. */
export async function doubtedCalls(sql: Sql): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from message_events where kind = 'uncertain'`;
  return row?.count ?? 0;
}
