import type { DatedRenaming } from "@/server/adapters/whatsapp/reports";
import { retryOnConflict } from "@/db/errors";
import type { Context } from "@/server/core/context";
import { notifyEndpoints } from "@/server/domain/webhooks/outbox/store-events";
import { applyNameChange } from "./change-names";
import { findNames } from "./find";
import { lockNames } from "./lock";
import { identitiesOf } from "@/server/adapters/whatsapp/person";

/**
 * Gives a person's contact the new names that WhatsApp reports without a message, by the rules of `applyNameChange`. Does
 * nothing if neither the old nor the new names are known.
 */
export async function renamePerson(args: { ctx: Context; input: DatedRenaming }): Promise<void> {
  const { ctx, input } = args;
  const { organizationId } = ctx.actor;
  const [previous, now] = [identitiesOf(input.previous), identitiesOf(input.now)];
  const endpointIds = await retryOnConflict(() =>
    ctx.services.sql.begin(async (tx) => {
      await lockNames(tx, organizationId, [...previous, ...now]);
      const [known = (await findNames(tx, organizationId, now))[0]] = await findNames(
        tx,
        organizationId,
        previous,
      );
      if (!known) return [];
      const reported = { contactId: known.contactId, at: input.at };
      return (await applyNameChange(tx, organizationId, reported, input)).endpointIds;
    }),
  );
  notifyEndpoints(ctx.services, endpointIds);
}
