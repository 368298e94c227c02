import type { Sql } from "@/db/client";
import { INBOX_PATH } from "@/server/core/service-urls";

/** SQL: whether an endpoint's URL is the inbox of its organization, at any base URL that this service had. */
const isInbox = (sql: Sql) => {
  const prefix = `${INBOX_PATH}/`;
  return sql`right(e.url, ${prefix.length + 36}) = ${prefix} || e.organization_id::text`;
};

/**
 * Moves the endpoints of inboxes to this base URL, and resets the failures recorded for another one.
 * @returns the moved endpoints.
 */
export async function moveInboxes(sql: Sql, baseUrl: string): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    update webhook_endpoints e set url = ${`${baseUrl}${INBOX_PATH}/`} || e.organization_id::text,
      health_since = clock_timestamp(), failing_since = null, last_failed_at = null, warned_at = null,
      backoff_until = null, backoff_set_at = null, backoff_streak = 0
    from organizations o
    where o.id = e.organization_id and o.is_demo and e.deleted_at is null and ${isInbox(sql)}
      and e.url <> ${`${baseUrl}${INBOX_PATH}/`} || e.organization_id::text
    returning e.id`;
  return rows.map(({ id }) => id);
}

/** Returns demo organizations, in id order after the given one, that never had their inbox as an endpoint. */
export async function demosWithoutInbox(
  sql: Sql,
  { afterId, rowsMax }: { afterId: string | null; rowsMax: number },
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select o.id from organizations o
    where o.is_demo and (${afterId}::uuid is null or o.id > ${afterId})
      and not exists (select from webhook_endpoints e where e.organization_id = o.id and ${isInbox(sql)})
    order by o.id limit ${rowsMax}`;
  return rows.map(({ id }) => id);
}

/** Removes webhooks from inboxes once they exceed the retention time. @returns the number removed. */
export async function removeOldFromInboxes(
  sql: Sql,
  { hoursMax, rowsMax }: { hoursMax: number; rowsMax: number },
): Promise<number> {
  const { count } = await sql`
    delete from demo_inbox where (id, organization_id) in (
      select id, organization_id from demo_inbox
      where received_at < now() - make_interval(hours => ${hoursMax})
      order by received_at limit ${rowsMax})`;
  return count;
}
