import { z } from "zod";
import {
  WEBHOOK_DELIVERY_STATES,
  WEBHOOK_ERROR_CLASSES,
  WEBHOOK_EVENT_TYPES,
  type WebhookDeliveryState,
  type WebhookErrorClass,
  type WebhookEventType,
} from "@/db/schema";
import { isAllowed, requireMemberCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { moment } from "@/server/domain/messages/model/schemas";
import type { Page } from "@/server/core/paging";

export const deliveriesOfMessageInput = z.strictObject({ message_id: z.guid() });

const deliveryOfMessage = z.object({
  id: z.guid(),
  endpoint: z.object({
    id: z.guid(),
    /** Actors who may not manage webhooks see only the host, because the rest may be a secret. */
    url: z.string().nullable(),
    description: z.string(),
  }),
  type: z.enum(WEBHOOK_EVENT_TYPES),
  state: z.enum(WEBHOOK_DELIVERY_STATES),
  created_at: moment,
  next_attempt_at: moment.nullable(),
  attempts: z.int(),
  /** The latest attempt's; null if it succeeded, or while it runs. */
  error_class: z.enum(WEBHOOK_ERROR_CLASSES).nullable(),
});

export const deliveriesOfMessageOutput = z.object({
  data: z.array(deliveryOfMessage),
  next_cursor: z.null(),
  /** Whether the organization has an endpoint that receives the message's next state. */
  has_endpoints: z.boolean(),
});

type DeliveryOfMessage = z.infer<typeof deliveryOfMessage>;

interface Row {
  readonly id: string;
  readonly endpointId: string;
  readonly url: string | null;
  readonly description: string;
  readonly type: WebhookEventType;
  readonly state: WebhookDeliveryState;
  readonly createdAt: Date;
  readonly nextAttemptAt: Date | null;
  readonly attempts: number;
  readonly errorClass: WebhookErrorClass | null;
}

/**
 * Lists the deliveries about a message, in the order of their events, for every member who may read messages. All fit
 * on one page: a message has a handful of events, an organization 20 endpoints.
 * @throws WaypostError `permission_denied`.
 */
export async function listDeliveriesOfMessage(args: {
  ctx: Context;
  input: z.output<typeof deliveriesOfMessageInput>;
}): Promise<Page<DeliveryOfMessage> & { next_cursor: null; has_endpoints: boolean }> {
  const { ctx, input } = args;
  requireMemberCapability(ctx.actor, "messages.read");
  const mayManage = isAllowed(ctx.actor, "webhooks.manage");
  const [rows, hasEndpoints] = await Promise.all([
    readDeliveries(ctx, input.message_id),
    readHasEndpoints(ctx, input.message_id),
  ]);
  return {
    data: rows.map((row) => shape(mayManage ? row : { ...row, url: hostOf(row.url) })),
    next_cursor: null,
    has_endpoints: hasEndpoints,
  };
}

const STATE_EVENTS: readonly WebhookEventType[] = [
  "message.sent",
  "message.delivered",
  "message.read",
  "message.failed",
];

async function readHasEndpoints({ services, actor }: Context, messageId: string): Promise<boolean> {
  const [found] = await services.sql`
    select 1 from webhook_endpoints e
    where e.organization_id = ${actor.organizationId} and e.deleted_at is null and e.disabled_at is null
      and e.events && ${[...STATE_EVENTS]}::text[]
      and (e.channel_ids is null or exists (
        select from messages m
        where m.id = ${messageId} and m.organization_id = e.organization_id and m.channel_id = any(e.channel_ids)))
    limit 1`;
  return found !== undefined;
}

function readDeliveries({ services, actor }: Context, messageId: string): Promise<readonly Row[]> {
  return services.sql<Row[]>`
    select d.id, e.id as "endpointId", e.url, e.description, d.type, d.state, d.created_at as "createdAt",
      d.next_attempt_at as "nextAttemptAt", d.attempts_ever as attempts,
      (select a.error_class from webhook_attempts a
        where a.delivery_id = d.id and a.organization_id = d.organization_id
        order by a.number desc limit 1) as "errorClass"
    from webhook_events v
    join webhook_deliveries d on d.event_id = v.id and d.organization_id = v.organization_id
    join webhook_endpoints e on e.id = d.endpoint_id and e.organization_id = d.organization_id
    where v.message_id = ${messageId} and v.organization_id = ${actor.organizationId}
      and e.deleted_at is null
    order by v.sequence, v.created_at, e.id`;
}

function hostOf(url: string | null): string | null {
  return url === null ? null : `${new URL(url).origin}/`;
}

function shape({
  endpointId,
  url,
  description,
  createdAt,
  nextAttemptAt,
  errorClass,
  ...row
}: Row): DeliveryOfMessage {
  return {
    ...row,
    endpoint: { id: endpointId, url, description },
    created_at: createdAt.toISOString(),
    next_attempt_at: nextAttemptAt?.toISOString() ?? null,
    error_class: errorClass,
  };
}
