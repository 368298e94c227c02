import type { MarketingWish } from "@/server/adapters/whatsapp/reports";
import { retryOnConflict } from "@/db/errors";
import type { Context } from "@/server/core/context";
import { ensurePersonIn } from "./ensure";
import { noteWishIn } from "./note-wish";

/**
 * Keeps whether a customer wants marketing messages, also of one who has no contact yet: the newest wish holds, in
 * whatever order they come.
 */
export async function setMarketingWish(args: { ctx: Context; input: MarketingWish }): Promise<void> {
  const { ctx, input } = args;
  const { organizationId } = ctx.actor;
  await retryOnConflict(() =>
    ctx.services.sql.begin(async (tx) => {
      const { contactId } = await ensurePersonIn(tx, organizationId, input.person, input.profileName);
      await noteWishIn(tx, organizationId, contactId, input);
    }),
  );
}
