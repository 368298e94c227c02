import type { z } from "zod";
import { requireCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { decodeCursor, encodeCursor, type Page } from "@/server/core/paging";
import type { DeliveryOutput, listDeliveriesInput } from "./delivery-schemas";
import { readEndpoint } from "../endpoints/endpoint";
import { readDeliveries } from "./read-deliveries";
import { type DeliveryPosition, OLDEST, selectDeliveries } from "./select-deliveries";

/**
 * Lists deliveries to an endpoint with their attempts, by the time of their events. A page can have fewer than `limit`
 * rows, even none, and still have a next page: if few rows match, each page examines only a part of them. Oldest first
 * there is always a next page, even after the last: it starts with later deliveries, and misses none that commits late.
 * @throws WaypostError `missing_scope`; `permission_denied`; `webhook_not_found`; `validation_failed`.
 */
export async function listDeliveries(args: {
  ctx: Context;
  input: z.output<typeof listDeliveriesInput>;
}): Promise<Page<DeliveryOutput>> {
  const { ctx } = args;
  requireCapability(ctx.actor, "webhooks.manage");
  const {
    id,
    limit,
    cursor,
    order,
    include,
    message_id: messageId,
    contact_id: contactId,
    ...filter
  } = args.input;
  const endpoint = await readEndpoint(ctx, id);
  const list = `webhook-deliveries:${endpoint.id}:${order}`;
  const after = positionOf(decodeCursor(ctx, list, cursor));
  const { found, examinedUntil } = await selectDeliveries(ctx, {
    endpointId: endpoint.id,
    filter: { ...filter, messageId, contactId },
    order,
    after,
    rowsMax: limit + 1,
  });
  const shown = found.slice(0, limit);
  const last = found.length > limit ? shown.at(-1) : examinedUntil;
  const next = last ?? (order === "oldest" ? (shown.at(-1) ?? after ?? OLDEST) : null);
  return {
    data: await readDeliveries(ctx, endpoint, {
      ids: shown.map((position) => position.id),
      withPayload: include === "payload",
    }),
    next_cursor: next === null ? null : encodeCursor(ctx, list, [next.at, next.id]),
  };
}

function positionOf(position: readonly string[] | null): DeliveryPosition | null {
  const [at, id] = position ?? [];
  return at === undefined || id === undefined ? null : { at, id };
}
