import type { z } from "zod";
import { requireMemberCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { WaypostError } from "@/server/platform/errors";
import { isUuid } from "@/server/lib/uuid";
import { mergedContactIds } from "@/server/domain/contacts/merged-contacts";
import type { contactIdInput } from "@/server/domain/contacts/inspect";

/** Maximum count of messages. */
const COUNTED_MAX = 10_000;

/** What erasing a contact would remove now. */
export interface ErasurePreview {
  /** Contacts that are one person, including the requested one. */
  readonly contacts: number;
  /** Numbers and WhatsApp's ids. */
  readonly names: number;
  /** Messages with stored content, including the customer's own. */
  readonly messages: number;
  /** Whether there are more than were counted. */
  readonly isMore: boolean;
  /** Those among them that wait to be sent: they fail instead, except those already handed over. */
  readonly queued: number;
}

/**
 * Counts what `eraseContact` would remove, without any change. A contact with a million messages costs no more than one
 * with ten thousand.
 * @throws WaypostError `permission_denied` without `contacts.erase`; `contact_not_found`.
 */
export async function previewErasure(args: {
  ctx: Context;
  input: z.output<typeof contactIdInput>;
}): Promise<ErasurePreview> {
  const { ctx, input } = args;
  requireMemberCapability(ctx.actor, "contacts.erase");
  const { sql } = ctx.services;
  const { organizationId } = ctx.actor;
  const mergedIds = isUuid(input.contactId)
    ? await mergedContactIds(sql, organizationId, input.contactId)
    : [];
  if (mergedIds.length === 0) throw new WaypostError("contact_not_found", { field: "contactId" });
  const counted = (condition: string) => sql`
    (select count(*)::int from (
      select from conversations v join messages m on m.conversation_id = v.id and m.organization_id = v.organization_id
      where v.organization_id = ${organizationId} and v.contact_id = any(${[...mergedIds]}::uuid[])
        and ${sql.unsafe(condition)}
      limit ${COUNTED_MAX + 1}) m)`;
  const [row] = await sql<{ names: number; messages: number; queued: number }[]>`
    select
      (select count(*)::int from contact_identities
        where organization_id = ${organizationId} and contact_id = any(${[...mergedIds]}::uuid[])) as names,
      ${counted("m.erased_at is null")} as messages,
      ${counted("m.is_queued and m.accept_seq > 0")} as queued`;
  const { names = 0, messages = 0, queued = 0 } = row ?? {};
  return {
    contacts: mergedIds.length,
    names,
    messages: Math.min(messages, COUNTED_MAX),
    isMore: messages > COUNTED_MAX,
    queued: Math.min(queued, COUNTED_MAX),
  };
}
