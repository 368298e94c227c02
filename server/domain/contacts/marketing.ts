import type { MarketingPreference } from "@/server/adapters/whatsapp/reports";
import { retryOnConflict } from "@/db/errors";
import type { Context } from "@/server/core/context";
import { notifyEndpoints } from "@/server/domain/webhooks/outbox/store-events";
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
  const { person, profileName, isWanted, at } = input;
  const endpointIds = await retryOnConflict(() =>
    ctx.services.sql.begin(async (tx) => {
      const { contactId, endpointIds: notified } = await ensurePersonIn(
        tx,
        organizationId,
        person,
        profileName,
      );
      const decision = { isWanted, at, source: "whatsapp" } as const;
      return [...notified, ...(await recordPreferenceIn(tx, organizationId, contactId, decision))];
    }),
  );
  notifyEndpoints(ctx.services, endpointIds);
}
