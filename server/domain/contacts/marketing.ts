import type { MarketingPreference } from "@/server/adapters/whatsapp/reports";
import { retryOnConflict } from "@/db/errors";
import type { Context } from "@/server/core/context";
import { notifyEndpoints } from "@/server/domain/webhooks/outbox/store-events";
import { recordNamesSeen } from "./change-names";
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
      const attached = await ensurePersonIn(tx, organizationId, { person, name: profileName, at });
      const { contactId, previous } = attached;
      const noted = await recordNamesSeen(tx, organizationId, { contactId, at }, { person, previous });
      const decision = { isWanted, at, source: "whatsapp" } as const;
      const recorded = await recordPreferenceIn(tx, organizationId, contactId, decision);
      return [...attached.endpointIds, ...noted, ...recorded];
    }),
  );
  notifyEndpoints(ctx.services, endpointIds);
}
