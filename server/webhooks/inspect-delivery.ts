import type { z } from "zod";
import { requireMemberCapability } from "../capabilities";
import type { Context } from "../context";
import { WaypostError } from "../errors";
import { isUuid } from "../uuid";
import type { DeliveryOutput, redeliverInput } from "./delivery-schemas";
import { readEndpoint } from "./endpoint";
import { readDeliveries } from "./read-deliveries";

/**
 * One delivery with every attempt, and with what is sent.
 * @throws WaypostError `permission_denied`; `webhook_not_found`; `webhook_delivery_not_found`.
 */
export async function inspectDelivery(args: {
  ctx: Context;
  input: z.output<typeof redeliverInput>;
}): Promise<DeliveryOutput> {
  const { ctx } = args;
  requireMemberCapability(ctx.actor, "webhooks.manage");
  const { id, delivery_id: deliveryId } = args.input;
  const endpoint = await readEndpoint(ctx, id);
  if (!isUuid(deliveryId)) throw new WaypostError("webhook_delivery_not_found");
  const [delivery] = await readDeliveries(ctx, endpoint, { ids: [deliveryId], withPayload: true });
  if (!delivery) throw new WaypostError("webhook_delivery_not_found");
  return delivery;
}
