import { z } from "zod";
import { requireMemberCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { WaypostError } from "@/server/platform/errors";
import { isUuid } from "@/server/lib/uuid";
import { deliveryOutput, type redeliverInput } from "./delivery-schemas";
import { readEndpoint } from "../endpoints/endpoint";
import { readDeliveries } from "./read-deliveries";

export const deliveryInspection = deliveryOutput.extend({
  /** The contact that the event is about, or the sender of its message; null for an outbound one. */
  contact_id: z.guid().nullable(),
});

export type DeliveryInspection = z.infer<typeof deliveryInspection>;

/**
 * Returns one delivery with its attempts and its payload.
 * @throws WaypostError `permission_denied`; `webhook_not_found`; `webhook_delivery_not_found`.
 */
export async function inspectDelivery(args: {
  ctx: Context;
  input: z.output<typeof redeliverInput>;
}): Promise<DeliveryInspection> {
  const { ctx } = args;
  requireMemberCapability(ctx.actor, "webhooks.manage");
  const { id, delivery_id: deliveryId } = args.input;
  const endpoint = await readEndpoint(ctx, id);
  if (!isUuid(deliveryId)) throw new WaypostError("webhook_delivery_not_found");
  const [delivery] = await readDeliveries(ctx, endpoint, { ids: [deliveryId], withPayload: true });
  if (!delivery) throw new WaypostError("webhook_delivery_not_found");
  return { ...delivery, contact_id: delivery.contact_id ?? (await writerOf(ctx, delivery.message_id)) };
}

async function writerOf({ services, actor }: Context, messageId: string | null): Promise<string | null> {
  if (messageId === null) return null;
  const [message] = await services.sql<{ contactId: string | null }[]>`
    select case when kind = 'inbound' then contact_id end as "contactId" from messages
    where id = ${messageId} and organization_id = ${actor.organizationId}`;
  return message?.contactId ?? null;
}
