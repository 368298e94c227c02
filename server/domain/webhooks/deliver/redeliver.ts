import type { z } from "zod";
import type { TransactionSql } from "@/db/client";
import { retryOnConflict } from "@/db/errors";
import { recordAuditBySql } from "@/server/core/audit/record";
import { requireCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { WaypostError } from "@/server/platform/errors";
import { isUuid } from "@/server/lib/uuid";
import type { DeliveryOutput, redeliverInput } from "./delivery-schemas";
import { type Endpoint, isDelivering, notDelivering, readEndpoint } from "../endpoints/endpoint";
import { readDeliveries } from "./read-deliveries";
import { visibleTo } from "./select-deliveries";

/**
 * Requeues a delivery: the same bytes under the same id, and the schedule from its start. A waiting one is due now. If
 * a call of it is running, it is the call after that one.
 * @throws WaypostError `missing_scope`; `permission_denied`; `webhook_not_found`; `webhook_delivery_not_found`, also
 * for one of a message on a channel that the key may not use; `webhook_not_delivering`; `webhook_event_erased`.
 */
export async function redeliverWebhook(args: {
  ctx: Context;
  input: z.output<typeof redeliverInput>;
}): Promise<DeliveryOutput> {
  const { ctx } = args;
  requireCapability(ctx.actor, "webhooks.manage");
  const { id, delivery_id: givenId } = args.input;
  const endpoint = await readEndpoint(ctx, id);
  if (!isUuid(givenId)) throw noSuchDelivery();
  const deliveryId = await retryOnConflict(() =>
    ctx.services.sql.begin((tx) => putBack(tx, ctx, endpoint, givenId)),
  );
  ctx.services.jobs.notifyEndpoint(endpoint.id);
  const [delivery] = await readDeliveries(ctx, endpoint, { ids: [deliveryId], withPayload: false });
  if (!delivery) throw noSuchDelivery();
  return delivery;
}

/** The path has two ids: this says which one is wrong. */
function noSuchDelivery(): WaypostError {
  return new WaypostError("webhook_delivery_not_found", { field: "delivery_id" });
}

/**
 * @param givenId the delivery's id, or its event's, which a receiver knows from `webhook-id`.
 * @returns the delivery's id.
 */
async function putBack(
  tx: TransactionSql,
  ctx: Context,
  endpoint: Endpoint,
  givenId: string,
): Promise<string> {
  const [delivery] = await tx<{ id: string; isErased: boolean }[]>`
    select d.id, v.body is null as "isErased"
    from webhook_deliveries d
    join webhook_events v on v.id = d.event_id and v.organization_id = d.organization_id
    where (d.id = ${givenId} or d.event_id = ${givenId}) and d.organization_id = ${endpoint.organizationId} and d.endpoint_id = ${endpoint.id}
      and ${visibleTo(ctx)}
    for no key update of d`;
  if (!delivery) throw noSuchDelivery();
  if (!isDelivering(endpoint)) throw notDelivering(endpoint);
  if (delivery.isErased) throw new WaypostError("webhook_event_erased");
  // A running call completes and schedules the next one. Even if it were the last, there is another one now.
  await tx`
    update webhook_deliveries set state = 'pending', attempts = 0, ended_at = null,
      next_attempt_at = coalesce(case when claim_token is not null then next_attempt_at end, clock_timestamp())
    where id = ${delivery.id} and organization_id = ${endpoint.organizationId}`;
  await recordAuditBySql(tx, ctx, {
    action: "webhook.delivery_redelivered",
    subjectKind: "webhook",
    subjectId: endpoint.id,
    detail: { deliveryId: delivery.id },
  });
  return delivery.id;
}
