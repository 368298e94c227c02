import { requireCapability } from "../../capabilities";
import type { Context } from "../../context";
import type { InboxFault } from "@/db/schema";
import { inboxPath } from "./address";

/** One webhook as it came in, without its body. */
export interface ReceivedWebhook {
  readonly id: string;
  readonly receivedAt: Date;
  /** Why it can't be trusted; null where it is genuine. */
  readonly fault: InboxFault | null;
  /** As it says of itself; null where it isn't genuine. */
  readonly type: string | null;
  readonly messageId: string | null;
}

/** What an inbox has, and why nothing more may come. */
export interface InboxView {
  /** Newest first: the last hundred that are genuine, and some that aren't. */
  readonly webhooks: readonly ReceivedWebhook[];
  /** The endpoint that delivers here; null where it was removed, or has another address now. */
  readonly endpoint: { readonly id: string; readonly isEnabled: boolean } | null;
}

/**
 * The webhook inbox of a demo organization. Others have none: it is empty.
 * @throws WaypostError `permission_denied` without `webhooks.manage`.
 */
export async function listInbox({ ctx }: { ctx: Context }): Promise<InboxView> {
  requireCapability(ctx.actor, "webhooks.manage");
  const { sql } = ctx.services;
  const { organizationId } = ctx.actor;
  const path = inboxPath(organizationId);
  const [webhooks, [endpoint]] = await Promise.all([
    sql<ReceivedWebhook[]>`
      select id, received_at as "receivedAt", fault, type, message_id as "messageId" from demo_inbox
      where organization_id = ${organizationId} order by received_at desc, id desc`,
    sql<{ id: string; isEnabled: boolean }[]>`
      select id, disabled_at is null as "isEnabled" from webhook_endpoints
      where organization_id = ${organizationId} and deleted_at is null and right(url, ${path.length}) = ${path}
      order by disabled_at is null desc, id limit 1`,
  ]);
  return { webhooks, endpoint: endpoint ?? null };
}
