import { z } from "zod";
import type { Executor, SqlFragment } from "@/db/client";
import type { IdentityKind } from "@/db/schema";
import { allowedChannels } from "@/server/core/channel-access";
import type { Context } from "@/server/core/context";
import {
  isListed,
  threadColumns,
  threadOutput,
  type ThreadRow,
  threadShape,
} from "@/server/domain/conversations/thread";
import { currentFirst } from "./current-names";
import { withMerged } from "./merged-contacts";
import { identity, identityShape } from "./names";

const CONTACT_EXAMPLE = {
  contact_id: "0198f0a4-5b3b-7a60-b7de-91c0a4e3f722",
  name: "Ana García",
  identities: [{ kind: "whatsapp", handle: "4915112345678" }],
  marketing_opt_out: false,
  threads: [threadOutput.meta()?.examples?.[0]],
  created_at: "2026-01-31T11:58:00.000Z",
} as const;

export const contactOutput = z
  .object({
    contact_id: z.guid(),
    name: z.string().nullable().meta({
      description: "As you set it, else the profile name that the customer had chosen. Null if none is known",
    }),
    identities: z.array(identity).meta({
      description:
        "Names that WhatsApp uses for the customer, numbers first, and the current one before former ones",
    }),
    marketing_opt_out: z.boolean().meta({ description: "True if the customer wants no marketing messages" }),
    threads: z.array(threadOutput).meta({
      description: "Conversations with the contact on the channels that the key may use, the latest first",
    }),
    created_at: z.iso.datetime().meta({ description: "RFC 3339, UTC" }),
  })
  .meta({ id: "Contact", description: "A customer", examples: [CONTACT_EXAMPLE] });

export type Contact = z.infer<typeof contactOutput>;

interface ContactRow {
  readonly id: string;
  readonly name: string | null;
  readonly isOptedOut: boolean;
  readonly createdAt: Date;
}

/**
 * SQL: whether the actor may see the contact `k`. A key that is limited to channels sees the contacts that have a
 * conversation there.
 */
export function visibleContact(ctx: Context, sql: Executor): SqlFragment {
  const allowed = allowedChannels(ctx);
  if (allowed === null) return sql`true`;
  return sql`exists (
    select from conversations v
    where v.organization_id = k.organization_id and v.channel_id = any(${[...allowed]}::uuid[])
      and v.contact_id = any(${withMerged(sql, ctx.actor.organizationId, sql`array[k.id]`)}))`;
}

/** Reads contacts as the public API shows them, in the order of the ids. They must be ones that the actor may see. */
export async function readContacts(
  ctx: Context,
  sql: Executor,
  ids: readonly string[],
): Promise<readonly Contact[]> {
  if (ids.length === 0) return [];
  const { organizationId } = ctx.actor;
  const allowed = allowedChannels(ctx);
  const wanted = [...ids];
  const [contacts, identities, threads] = await Promise.all([
    sql<ContactRow[]>`
      select k.id, k.name, k.marketing_opted_out_at is not null as "isOptedOut", k.created_at as "createdAt"
      from unnest(${wanted}::uuid[]) with ordinality as w (id, position)
      join contacts k on k.id = w.id and k.organization_id = ${organizationId}
      order by w.position`,
    sql<{ contactId: string; kind: IdentityKind; handle: string }[]>`
      select i.contact_id as "contactId", i.kind, i.handle from contact_identities i
      where i.contact_id = any(${wanted}::uuid[]) and i.organization_id = ${organizationId}
      order by i.kind <> 'whatsapp', ${currentFirst(sql)}`,
    sql<ThreadRow[]>`
      select ${threadColumns(sql)}
      from contacts k
      join conversations v on v.contact_id = k.id and v.organization_id = k.organization_id
      join channels c on c.id = v.channel_id and c.organization_id = v.organization_id
      where k.organization_id = ${organizationId}
        and k.id = any(${withMerged(sql, organizationId, sql`${wanted}::uuid[]`)})
        and (${allowed}::uuid[] is null or v.channel_id = any(${allowed}::uuid[])) and ${isListed(sql)}
      order by v.last_activity_seq desc, v.id desc`,
  ]);
  return contacts.map(({ id, name, isOptedOut, createdAt }) => ({
    contact_id: id,
    name,
    identities: identities.filter(({ contactId }) => contactId === id).map(identityShape),
    marketing_opt_out: isOptedOut,
    threads: threads.filter(({ contactId }) => contactId === id).map(threadShape),
    created_at: createdAt.toISOString(),
  }));
}
