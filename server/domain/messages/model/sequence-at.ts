import type { Context } from "@/server/core/context";

/** Numbers are drawn after the times are taken, and transactions last: so far the two orders may differ. */
export const DISORDER_MAX_MS = 10 * 60_000;

/**
 * A number of the organization's order of messages that surely lies on that side of the time: what was accepted from
 * then on has one that isn't smaller than `before`, what was accepted until then one that is smaller than `after`. Found by
 * halving, so that it costs some thirty looks into an index, however many messages there are.
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
