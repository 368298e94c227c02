import { requireMemberCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { currentFirst } from "@/server/domain/contacts/current-names";

const CHANNELS_MAX = 100;
const CUSTOMERS_MAX = 8;

/** The phones that can be opened without typing a number. */
export interface PhoneChoices {
  /** Simulated ones, the default channel first. */
  readonly channels: readonly {
    readonly id: string;
    readonly name: string;
    readonly displayPhoneNumber: string;
  }[];
  /** Customers whose conversations with simulated channels began last. */
  readonly customers: readonly {
    readonly contactId: string;
    readonly name: string | null;
    readonly number: string;
    readonly channelId: string;
  }[];
}

/**
 * Lists the simulated channels of the organization, and the customers of their latest conversations.
 * @throws WaypostError `permission_denied` for keys.
 */
export async function listPhoneChoices({ ctx }: { ctx: Context }): Promise<PhoneChoices> {
  requireMemberCapability(ctx.actor, "messages.read");
  const { sql } = ctx.services;
  const { organizationId } = ctx.actor;
  const [channels, customers] = await Promise.all([
    sql<PhoneChoices["channels"][number][]>`
      select id, name, display_phone_number as "displayPhoneNumber" from channels
      where organization_id = ${organizationId} and upstream = 'simulator' and disabled_at is null
      order by is_default desc, id limit ${CHANNELS_MAX}`,
    sql<PhoneChoices["customers"][number][]>`
      select v.contact_id as "contactId", k.name, i.handle as number, v.channel_id as "channelId"
      from (
        select v.id, v.contact_id, v.channel_id from conversations v
        join channels c on c.id = v.channel_id and c.organization_id = ${organizationId} and c.upstream = 'simulator'
          and c.disabled_at is null
        where v.organization_id = ${organizationId} order by v.id desc limit ${CUSTOMERS_MAX}) v
      join contacts k on k.id = v.contact_id and k.organization_id = ${organizationId} and k.erased_at is null
      cross join lateral (
        select i.handle from contact_identities i
        where i.contact_id = k.id and i.organization_id = ${organizationId} and i.kind = 'whatsapp'
        order by ${currentFirst(sql)} limit 1) i
      order by v.id desc`,
  ]);
  return { channels: [...channels], customers: [...customers] };
}
