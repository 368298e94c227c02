import { requireCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { inboxPath, inboxUrls } from "@/server/core/service-urls";
import { receivedColumns, receivedJoins, receivedOf, type ReceivedRow, type ReceivedWebhook } from "./rows";

/** The contents of an inbox, and why nothing more may arrive. */
export interface InboxView {
  /** Newest first: the last hundred genuine ones, and some that aren't. */
  readonly webhooks: readonly ReceivedWebhook[];
  /** The endpoint that delivers here; null if it was removed, or has another URL now. */
  readonly endpoint: { readonly id: string; readonly isEnabled: boolean } | null;
  /** The inbox's own URL; null while this process has none. */
  readonly url: string | null;
}

/**
 * Lists the webhook inbox of a demo organization. Empty for other organizations, which have none.
 * @throws WaypostError `permission_denied` without `webhooks.manage`.
 */
export async function listInbox({ ctx }: { ctx: Context }): Promise<InboxView> {
  requireCapability(ctx.actor, "webhooks.manage");
  const { sql } = ctx.services;
  const { organizationId } = ctx.actor;
  const path = inboxPath(organizationId);
  const [rows, [endpoint]] = await Promise.all([
    sql<ReceivedRow[]>`
      select ${receivedColumns(sql)} from demo_inbox i ${receivedJoins(sql)}
      where i.organization_id = ${organizationId} order by i.received_at desc, i.id desc`,
    sql<{ id: string; isEnabled: boolean }[]>`
      select id, disabled_at is null as "isEnabled" from webhook_endpoints
      where organization_id = ${organizationId} and deleted_at is null and right(url, ${path.length}) = ${path}
      order by disabled_at is null desc, id limit 1`,
  ]);
  const [url = null] = inboxUrls(ctx.services.urls, organizationId);
  return { webhooks: rows.map(receivedOf), endpoint: endpoint ?? null, url };
}
