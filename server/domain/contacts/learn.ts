import type { NamedRecipient } from "@/server/adapters/whatsapp/reports";
import type { TransactionSql } from "@/db/client";
import { retryOnConflict } from "@/db/errors";
import type { Context } from "@/server/core/context";
import { attachPersonIn } from "./attach";
import { recordNamesSeen } from "./change-names";
import { findNames } from "./find";
import { lockNames } from "./lock";
import { notifyEndpoints } from "@/server/domain/webhooks/outbox/store-events";
import { identitiesOf, type Person } from "@/server/adapters/whatsapp/person";

/**
 * Stores the ids that the upstream gives to message recipients, so that a customer who then writes without a number
 * stays the same contact. Only ids: a number in a status is the one we sent to, possibly in another form.
 */
export async function learnRecipients(args: {
  ctx: Context;
  input: { channelId: string; recipients: readonly NamedRecipient[] };
}): Promise<void> {
  const { ctx, input } = args;
  const { organizationId } = ctx.actor;
  const { sql } = ctx.services;
  const named = input.recipients.map((one) => ({ ...one, person: { ...one.person, number: null } }));
  const names = named.flatMap(({ person }) => identitiesOf(person));
  if (names.length === 0) return;
  const known = new Set((await findNames(sql, organizationId, names)).map((name) => name.handle));
  const unknown = named.filter(({ person }) =>
    identitiesOf(person).some((identity) => !known.has(identity.handle)),
  );
  if (unknown.length === 0) return;
  const endpointIds = await retryOnConflict(() =>
    sql.begin(async (tx) => {
      const notified: string[] = [];
      await lockNames(
        tx,
        organizationId,
        unknown.flatMap(({ person }) => identitiesOf(person)),
      );
      const contacts = await tx<{ position: number; contactId: string }[]>`
        select r.position::int, coalesce(k.merged_into, k.id) as "contactId"
        from unnest(${unknown.map((one) => one.upstreamId)}::text[], ${unknown.map((one) => one.messageId)}::uuid[])
          with ordinality as r (upstream_id, message_id, position)
        join messages m on m.organization_id = ${organizationId} and m.channel_id = ${input.channelId}
          and m.kind = 'outbound' and m.erased_at is null and (m.upstream_id = r.upstream_id or m.id = r.message_id)
        join contacts k on k.organization_id = m.organization_id and k.id = m.contact_id
        order by r.position`;
      for (const { position, contactId } of contacts) {
        const person = unknown[position - 1]?.person;
        if (person) notified.push(...(await learnIn(tx, organizationId, { contactId, person, known })));
      }
      return notified;
    }),
  );
  notifyEndpoints(ctx.services, endpointIds);
}

/** Only an id that wasn't known becomes current: a late status can still name a former one. */
async function learnIn(
  tx: TransactionSql,
  organizationId: string,
  { contactId, person, known }: { contactId: string; person: Person; known: ReadonlySet<string> },
): Promise<readonly string[]> {
  const { endpointIds, previous } = await attachPersonIn(tx, organizationId, contactId, person);
  const isNew = (id: string | null) => (id === null || known.has(id) ? null : id);
  const learned = { number: null, userId: isNew(person.userId), parentUserId: isNew(person.parentUserId) };
  const seen = { person: learned, previous };
  return [...endpointIds, ...(await recordNamesSeen(tx, organizationId, { contactId, at: null }, seen))];
}
