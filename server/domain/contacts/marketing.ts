import type { MarketingPreference } from "@/server/adapters/whatsapp/reports";
import { retryOnConflict } from "@/db/errors";
import type { Context } from "@/server/core/context";
import { ensurePersonIn } from "./ensure";
import { recordPreferenceIn } from "./record-preference";

/**
 * Stores whether a customer wants marketing messages, even without a contact yet. The newest preference wins, in any
 * order of arrival.
 */
export async function setMarketingPreference(args: {
  ctx: Context;
  input: MarketingPreference;
}): Promise<void> {
  const { ctx, input } = args;
  const { organizationId } = ctx.actor;
  await retryOnConflict(() =>
    ctx.services.sql.begin(async (tx) => {
      const { contactId } = await ensurePersonIn(tx, organizationId, input.person, input.profileName);
      await recordPreferenceIn(tx, organizationId, contactId, input);
    }),
  );
}
