import { z } from "zod";
import type { IdentityKind } from "@/db/schema";
import { requireMemberCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { WaypostError } from "@/server/platform/errors";
import { windowOpenUntil } from "@/server/domain/conversations/customer-window";
import { isUuid } from "@/server/lib/uuid";
import { currentFirst } from "./current-names";
import { withMerged } from "./merged-contacts";

export const contactIdInput = z.strictObject({ contactId: z.string() });

/** A name that WhatsApp uses for the person. */
export interface ContactIdentity {
  readonly kind: IdentityKind;
  /** A number in E.164 without the plus sign, or WhatsApp's id. */
  readonly handle: string;
  /** When the upstream last reported that nothing can be delivered there; null if it can. */
  readonly refusedAt: Date | null;
  readonly createdAt: Date;
}

/** A conversation with the person on one channel. */
export interface ContactConversation {
  /** `thread_id` of the public API. */
  readonly id: string;
  readonly channel: {
    readonly id: string;
    readonly name: string;
    readonly isPaused: boolean;
    readonly isDisabled: boolean;
  };
  readonly lastWroteAt: Date | null;
  /** Until when messages other than templates can be sent; null if they can't. */
  readonly windowOpenUntil: Date | null;
  /**
   * The customer hasn't written to this channel. The number was in use before, so the window counts as open for a day.
   */
  readonly isWindowAssumed: boolean;
  readonly createdAt: Date;
}

/** A contact as its own page shows it. */
export interface ContactDetail {
  readonly id: string;
  readonly name: string | null;
  readonly identities: readonly ContactIdentity[];
  readonly conversations: readonly ContactConversation[];
  /** When the customer opted out of marketing messages. */
  readonly marketingOptedOutAt: Date | null;
  /** The contact that proved to be the same person. It has everything that was known of this one. */
  readonly mergedInto: { readonly id: string; readonly name: string | null } | null;
  /** Contacts that were merged into this one: their ids lead here. */
  readonly mergedIds: readonly string[];
  readonly erasedAt: Date | null;
  readonly createdAt: Date;
}

/**
 * Returns one contact of the organization, even an erased or merged one.
 * @throws WaypostError `permission_denied` without `contacts.read`; `contact_not_found`, the same for an unknown or
 * malformed id and another organization's.
 */
export async function inspectContact(args: {
  ctx: Context;
  input: z.output<typeof contactIdInput>;
}): Promise<ContactDetail> {
  const { ctx, input } = args;
  requireMemberCapability(ctx.actor, "contacts.read");
  const found = isUuid(input.contactId) ? await readContact(ctx, input.contactId) : null;
  if (!found) throw new WaypostError("contact_not_found", { field: "contactId" });
  return found;
}

interface Row extends Omit<ContactDetail, "identities" | "conversations" | "mergedInto"> {
  readonly mergedIntoId: string | null;
  readonly mergedIntoName: string | null;
}

async function readContact(ctx: Context, contactId: string): Promise<ContactDetail | null> {
  const { sql } = ctx.services;
  const { organizationId } = ctx.actor;
  const [[row], identities, conversations] = await Promise.all([
    sql<Row[]>`
      select k.id, k.name, k.marketing_opted_out_at as "marketingOptedOutAt", k.erased_at as "erasedAt",
        k.created_at as "createdAt", k.merged_into as "mergedIntoId", l.name as "mergedIntoName",
        array(select m.id from contacts m where m.organization_id = ${organizationId} and m.merged_into = k.id
          order by m.id) as "mergedIds"
      from contacts k left join contacts l on l.id = k.merged_into and l.organization_id = k.organization_id
      where k.organization_id = ${organizationId} and k.id = ${contactId}`,
    sql<ContactIdentity[]>`
      select i.kind, i.handle, i.refused_at as "refusedAt", i.created_at as "createdAt" from contact_identities i
      where i.organization_id = ${organizationId} and i.contact_id = ${contactId}
      order by i.kind = 'whatsapp' desc, ${currentFirst(sql)}`,
    readConversations(ctx, contactId),
  ]);
  if (!row) return null;
  const { mergedIntoId, mergedIntoName, ...rest } = row;
  const mergedInto = mergedIntoId === null ? null : { id: mergedIntoId, name: mergedIntoName };
  return { ...rest, mergedInto, identities: [...identities], conversations };
}

interface ConversationRow extends Omit<ContactConversation, "channel"> {
  readonly channelId: string;
  readonly channelName: string;
  readonly isPaused: boolean;
  readonly isDisabled: boolean;
}

/**
 * Includes conversations that stayed with a merged contact, because this contact already had one on the same channel.
 */
async function readConversations(
  { services, actor }: Context,
  contactId: string,
): Promise<ContactConversation[]> {
  const { sql } = services;
  const { organizationId } = actor;
  const rows = await sql<ConversationRow[]>`
    select v.id, v.channel_id as "channelId", c.name as "channelName", c.paused_at is not null as "isPaused",
      c.disabled_at is not null as "isDisabled", v.last_inbound_at as "lastWroteAt", v.created_at as "createdAt",
      ${windowOpenUntil(sql)} as "windowOpenUntil", v.last_inbound_at is null as "isWindowAssumed"
    from conversations v join channels c on c.id = v.channel_id and c.organization_id = v.organization_id
    where v.organization_id = ${organizationId} and v.contact_id = any(${withMerged(sql, organizationId, sql`array[${contactId}::uuid]`)})
    order by v.last_inbound_at desc nulls last, v.created_at, v.id`;
  return rows.map(({ channelId, channelName, isPaused, isDisabled, isWindowAssumed, ...row }) => ({
    ...row,
    isWindowAssumed: isWindowAssumed && row.windowOpenUntil !== null,
    channel: { id: channelId, name: channelName, isPaused, isDisabled },
  }));
}
