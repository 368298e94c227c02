import type { Context } from "@/server/core/context";

/**
 * Sequence numbers are drawn after the times are taken, and transactions take time. The order by time and the order by number can therefore differ, by at most this long.
 */
export const DISORDER_MAX_MS = 10 * 60_000;

/**
 * Returns an acceptance number of the organization that is certainly on the given side of the time: messages accepted
 * from then on have a number of at least `before`, and messages accepted until then have one below `after`. A binary
 * search, so it costs about thirty index lookups, however many messages there are.
 */
export async function sequenceAt(ctx: Context, time: Date, side: "before" | "after"): Promise<number> {
  const { organizationId } = ctx.actor;
  const shifted = new Date(time.getTime() + (side === "before" ? -DISORDER_MAX_MS : DISORDER_MAX_MS));
  const [found] = await ctx.services.sql<{ number: number | null }[]>`
    with recursive search (low, high) as (
      select
        (select m.accept_seq from messages m where m.organization_id = ${organizationId} and m.accept_seq > 0
          order by m.accept_seq limit 1),
        (select m.accept_seq + 1 from messages m where m.organization_id = ${organizationId} and m.accept_seq > 0
          order by m.accept_seq desc limit 1)
      union all
      select
        case when probe.created_at < ${shifted} then probe.accept_seq + 1 else s.low end,
        case when probe.created_at < ${shifted} then s.high else s.middle end
      from (select low, high, (low + high) / 2 as middle from search where low < high) s,
        lateral (
          select m.accept_seq, m.created_at from messages m
          where m.organization_id = ${organizationId} and m.accept_seq > 0 and m.accept_seq >= s.middle
          order by m.accept_seq limit 1
        ) probe
    )
    select max(low) as number from search`;
  return found?.number ?? 0;
}
