import type { Context } from "@/server/core/context";

/** Webhook deliveries about one message, to endpoints that exist. */
export interface WebhookCounts {
  readonly total: number;
  readonly waiting: number;
  readonly failed: number;
}

export const NO_WEBHOOKS: WebhookCounts = { total: 0, waiting: 0, failed: 0 };

/** Counts the deliveries about messages, by message. A message has a handful of events, an organization 20 endpoints. */
export async function countWebhooks(
  { services, actor }: Context,
  messageIds: readonly string[],
): Promise<ReadonlyMap<string, WebhookCounts>> {
  const rows = await services.sql<(WebhookCounts & { messageId: string })[]>`
    select v.message_id as "messageId", count(*)::int as total,
      (count(*) filter (where d.is_pending))::int as waiting,
      (count(*) filter (where d.state = 'failed'))::int as failed
    from webhook_events v
    join webhook_deliveries d on d.event_id = v.id and d.organization_id = v.organization_id
    join webhook_endpoints e on e.id = d.endpoint_id and e.organization_id = d.organization_id
    where v.message_id = any(${[...messageIds]}::uuid[]) and v.organization_id = ${actor.organizationId}
      and e.deleted_at is null
    group by v.message_id`;
  return new Map(rows.map(({ messageId, ...counts }) => [messageId, counts]));
}
