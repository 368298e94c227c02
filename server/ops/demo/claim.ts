import { and, asc, eq, gt, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Executor, Orm } from "@/db/client";
import { channels, organizations, templates } from "@/db/schema";

export type SimulatedChannel = typeof channels.$inferSelect;

/** Lists simulated channels of one organization, or of all if null, by id, after the given one. */
export async function simulatedChannels(
  orm: Orm,
  page: { organizationId: string | null; afterId: string | null; rowsMax: number },
): Promise<SimulatedChannel[]> {
  const { organizationId, afterId, rowsMax } = page;
  return orm
    .select()
    .from(channels)
    .where(
      and(
        eq(channels.upstream, "simulator"),
        organizationId === null ? undefined : eq(channels.organizationId, organizationId),
        afterId === null ? undefined : gt(channels.id, afterId),
      ),
    )
    .orderBy(asc(channels.id))
    .limit(rowsMax);
}

/** Lists the default, or second, channels of demo organizations that have fewer templates than that. */
export async function channelsWithoutTemplates(
  orm: Orm,
  place: "default" | "second",
  { templatesMin, rowsMax }: { templatesMin: number; rowsMax: number },
): Promise<{ id: string; organizationId: string }[]> {
  const submitted = orm
    .select({ count: sql`count(*)` })
    .from(templates)
    .where(eq(templates.channelId, channels.id));
  // The channel that the demo was created with: ids grow with time.
  const other = alias(channels, "other");
  const second = orm
    .select({ id: other.id })
    .from(other)
    .where(and(eq(other.organizationId, channels.organizationId), eq(other.isDefault, false)))
    .orderBy(asc(other.id))
    .limit(1);
  return orm
    .select({ id: channels.id, organizationId: channels.organizationId })
    .from(channels)
    .innerJoin(organizations, eq(organizations.id, channels.organizationId))
    .where(
      and(
        eq(channels.upstream, "simulator"),
        eq(organizations.isDemo, true),
        place === "default" ? eq(channels.isDefault, true) : eq(channels.id, second),
        sql`(${submitted}) < ${templatesMin}`,
      ),
    )
    .orderBy(asc(channels.id))
    .limit(rowsMax);
}

/** Returns true if any organization has a channel at Meta. */
export async function hasRealChannel(sql: Executor): Promise<boolean> {
  const rows = await sql`select 1 from channels where upstream = 'meta' limit 1`;
  return rows.length > 0;
}

/** Counts the calls to WhatsApp and to webhook endpoints, and the callbacks, that any process is working on. */
export async function countCallsInFlight(sql: Executor): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select (select count(*) from messages
        where is_queued and claim_token is not null and claimed_until > now())::int
      + (select count(*) from webhook_deliveries
          where is_pending and claim_token is not null and claimed_until > now())::int
      + (select count(*) from upstream_callbacks where processed_at is null and claimed_until > now())::int as count`;
  return row?.count ?? 0;
}

/** Waits for transactions that claim calls, and holds back others until the end of the transaction. */
export async function holdClaims(tx: Executor): Promise<void> {
  await tx`lock table messages, webhook_deliveries, upstream_callbacks in share mode`;
}
