import type { Sql } from "@/db/client";
import { HOUR_MS } from "./points";
import { PASSES } from "./progress";

/** Returns organizations with an hour to count: one lookup of each one's newest message. */
export async function organizationsToCount(sql: Sql): Promise<string[]> {
  const isDue = PASSES.map(({ column, afterMs }) => {
    const position = sql`p.${sql(column)}`;
    const untilDueSeconds = (HOUR_MS + afterMs) / 1000;
    return sql`or (newest.created_at >= ${position}
      and ${position} <= now() - make_interval(secs => ${untilDueSeconds}))`;
  });
  const rows = await sql<{ id: string }[]>`
    select o.id from organizations o left join usage_progress p on p.organization_id = o.id
    left join lateral (select m.created_at from messages m
      where m.organization_id = o.id and m.accept_seq > 0 order by m.accept_seq desc limit 1) newest on true
    where p.counted_from is not null or (p.organization_id is null and newest.created_at is not null) ${isDue}
    order by o.id`;
  return rows.map(({ id }) => id);
}
