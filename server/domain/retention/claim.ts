import type { Sql } from "@/db/client";
import {
  AVAILABLE_KEPT_DAYS,
  CALLBACKS_KEPT_DAYS,
  WEBHOOKS_KEPT_DAYS,
} from "@/server/domain/organizations/retention-days";

export interface DueOrganization {
  readonly organizationId: string;
  readonly retentionDays: number;
}

/**
 * Returns the organizations with data past the retention time: a few index probes for each. Each query follows the
 * order of an index; otherwise the planner reads a whole table, hoping for an early hit.
 */
export function organizationsDue(sql: Sql): Promise<DueOrganization[]> {
  return sql<DueOrganization[]>`
    select o.id as "organizationId", o.retention_days as "retentionDays"
    from organizations o, lateral (select now() - make_interval(days => o.retention_days) as content,
      now() - make_interval(days => least(o.retention_days, ${CALLBACKS_KEPT_DAYS})) as callbacks) oldest
    where (select m.created_at < oldest.content from messages m
        where m.organization_id = o.id and m.accept_seq > 0 and m.accept_seq > o.erased_until_seq
        order by m.accept_seq limit 1)
      or (select c.created_at < oldest.content from contacts c
        where c.organization_id = o.id and c.erased_at is null and c.id > o.contacts_looked_at_until
        order by c.id limit 1)
      or (select true from upstream_callbacks u
        where u.organization_id = o.id and u.processed_at is not null and u.received_at < oldest.callbacks
        order by u.received_at limit 1)
      or exists (select from channels c
        join upstream_callbacks u on u.channel_id = c.id and u.organization_id = c.organization_id
        where c.organization_id = o.id and u.processed_at is null and u.tries > 0
          and u.received_at < oldest.callbacks)
      or (select true from unmatched_statuses s
        where s.organization_id = o.id and s.created_at < oldest.callbacks order by s.created_at limit 1)
      or (select v.created_at < now() - make_interval(days => ${WEBHOOKS_KEPT_DAYS}) from webhook_events v
        where v.organization_id = o.id order by v.created_at limit 1)
      or (select d.created_at < now() - make_interval(days => ${AVAILABLE_KEPT_DAYS}) from webhook_deliveries d
        where d.organization_id = o.id and d.state = 'available' order by d.created_at limit 1)
    order by o.id`;
}

export interface UnfinishedErasure {
  readonly organizationId: string;
  readonly contactId: string;
}

/** After this time, no work that started before a contact's erasure can still be running. */
const FINISHED_AFTER_HOURS = 2;
const ERASURES_MAX = 100;

/**
 * Returns recently erased contacts that received data at the same moment: a message just accepted, a name just stored.
 */
export function unfinishedErasures(sql: Sql): Promise<UnfinishedErasure[]> {
  return sql<UnfinishedErasure[]>`
    select c.organization_id as "organizationId", c.id as "contactId" from contacts c
    where c.erased_at > now() - make_interval(hours => ${FINISHED_AFTER_HOURS})
      and (c.name is not null
        or exists (select from contact_identities i
          where i.organization_id = c.organization_id and i.contact_id = c.id)
        or exists (select from conversations v
          join messages m on m.conversation_id = v.id and m.erased_at is null
          where v.organization_id = c.organization_id and v.contact_id = c.id))
    order by c.erased_at limit ${ERASURES_MAX}`;
}
