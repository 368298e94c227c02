import type { SystemActor } from "@/server/core/actor";
import { emptyUnusedContacts } from "@/server/domain/erasure/empty-contact";
import type { Context } from "@/server/core/context";
import type { Step } from "./step";

const BATCH_MAX = 500;

/**
 * Empties contacts that never had a message, such as those with only a preference. Each contact is checked once, when
 * it is old enough (`organizations.contacts_looked_at_until`): a contact with messages at that time is emptied with the
 * last of them.
 */
export function oldContacts(ctx: Context<SystemActor>, retentionDays: number): Step {
  const { organizationId } = ctx.actor;
  const { sql } = ctx.services;
  return async () => {
    const batch = await sql<{ id: string; isOld: boolean }[]>`
      select id, created_at < now() - make_interval(days => ${retentionDays}) as "isOld" from contacts
      where organization_id = ${organizationId} and erased_at is null
        and id > (select contacts_looked_at_until from organizations where id = ${organizationId})
      order by id limit ${BATCH_MAX}`;
    const young = batch.findIndex(({ isOld }) => !isOld);
    const contactIds = (young < 0 ? batch : batch.slice(0, young)).map(({ id }) => id);
    const last = contactIds.at(-1);
    if (last === undefined) return { erased: 0, isMore: false };
    const erased = await emptyUnusedContacts({ ctx, input: { contactIds } });
    await sql`
      update organizations set contacts_looked_at_until = greatest(contacts_looked_at_until, ${last}::uuid)
      where id = ${organizationId}`;
    return { erased, isMore: contactIds.length === BATCH_MAX };
  };
}
