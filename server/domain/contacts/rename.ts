import type { Renaming } from "@/server/adapters/whatsapp/reports";
import { retryOnConflict } from "@/db/errors";
import type { Context } from "@/server/core/context";
import { notifyEndpoints } from "@/server/domain/webhooks/outbox/store-events";
import { announceChanged } from "./announce";
import { attachPersonIn } from "./attach";
import { findNames } from "./find";
import { lockNames } from "./lock";
import { identitiesOf } from "@/server/adapters/whatsapp/person";

/**
 * Adds the new names to a person's contact. The old ones stay, because callbacks of earlier messages still use them.
 * Announces the change if a name is new. Does nothing if neither the old nor the new names are known.
 */
export async function renamePerson(args: { ctx: Context; input: Renaming }): Promise<void> {
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
      const { contactId } = known;
      const attached = await attachPersonIn(tx, organizationId, contactId, input.now);
      if (!attached.isChanged) return attached.endpointIds;
      const changed = await announceChanged(tx, organizationId, { ...input, contactId, at: null });
      return [...attached.endpointIds, ...changed];
    }),
  );
  notifyEndpoints(ctx.services, endpointIds);
}
