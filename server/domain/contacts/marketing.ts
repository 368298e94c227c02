import { retryOnConflict } from "@/db/errors";
import type { Context } from "@/server/core/context";
import { ensurePersonIn } from "./ensure";
import { noteWishIn, type Wish } from "./note-wish";
import type { Person } from "./person";

export interface MarketingWish extends Wish {
  readonly person: Person;
  readonly profileName: string | null;
}

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
