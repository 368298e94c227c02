import { and, eq, gt, sql } from "drizzle-orm";
import { apiKeySecrets } from "@/db/schema";
import { requireCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";

/**
 * Returns when the key's previous secret ends, if it still works beside the current one; null if there is none.
 * @throws WaypostError `permission_denied` without `integrations.manage_api`.
 */
export async function overlapEnd({ ctx, keyId }: { ctx: Context; keyId: string }): Promise<Date | null> {
  requireCapability(ctx.actor, "integrations.manage_api");
  const s = apiKeySecrets;
  const [secret] = await ctx.services.orm
    .select({ endsAt: s.endsAt })
    .from(s)
    .where(
      and(
        eq(s.organizationId, ctx.actor.organizationId),
        eq(s.keyId, keyId),
        gt(s.endsAt, sql`clock_timestamp()`),
      ),
    );
  return secret?.endsAt ?? null;
}
