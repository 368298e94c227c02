import type { Context } from "@/server/core/context";
import { forgetRecipients } from "./forget-recipients";

/**
 * Removes a person's names from the organization's records other than messages: details of the audit log, statuses that
 * wait for their message (they keep their meaning without the words), the upstream's words about a paused channel, the
 * contents of a demo's inbox, and the recipient of a refused request. Names match as whole words only.
 */
export async function forgetInRecords(
  ctx: Context,
  about: { contactIds: readonly string[]; handles: readonly string[] },
): Promise<void> {
  const { services, actor } = ctx;
  const { sql } = services;
  const { organizationId } = actor;
  await sql`
    update audit_log set detail = '{}'
    where organization_id = ${organizationId} and subject_kind = 'contact' and action <> 'contact.erased'
      and subject_id = any(${[...about.contactIds]}::uuid[]) and detail <> '{}'`;
  const inboxNaming = patternOf([...about.contactIds, ...about.handles]);
  await sql`delete from demo_inbox where organization_id = ${organizationId} and body ~ ${inboxNaming}`;
  await forgetRecipients(ctx, about);
  if (about.handles.length === 0) return;
  const naming = patternOf(about.handles);
  await sql`
    update audit_log set detail = '{}' where organization_id = ${organizationId} and detail::text ~ ${naming}`;
  await sql`
    update unmatched_statuses set recipient = null, entry = entry || '{"detail": null}'
    where organization_id = ${organizationId}
      and (recipient = any(${[...about.handles]}::text[]) or entry::text ~ ${naming})`;
  await sql`
    update channels set pause_detail = pause_detail - array['reason', 'title']
    where organization_id = ${organizationId} and pause_detail::text ~ ${naming}`;
}

/** Returns a PostgreSQL regular expression for any of the names, with no letter or digit before or after it. */
function patternOf(handles: readonly string[]): string {
  const names = handles.map((handle) => handle.replaceAll(".", "\\."));
  return `(^|[^0-9A-Za-z])(${names.join("|")})($|[^0-9A-Za-z])`;
}
