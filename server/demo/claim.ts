import { and, asc, eq, gt } from "drizzle-orm";
import type { Orm } from "@/db/client";
import { channels } from "@/db/schema";

export type SimulatedChannel = typeof channels.$inferSelect;

/** Simulated channels of one organization, or of all where it is null, by id, after the given one. */
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
