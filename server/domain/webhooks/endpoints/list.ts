import { and, desc, lt } from "drizzle-orm";
import type { z } from "zod";
import { webhookEndpoints } from "@/db/schema";
import { requireCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { decodeCursor, type Page, pageOf } from "@/server/core/paging";
import { ENDPOINT_COLUMNS, endpointShape, knownEndpoints } from "./endpoint";
import type { listWebhooksInput, WebhookOutput } from "./schemas";

const LIST = "webhooks";

/**
 * Lists the webhook endpoints that the actor can see, newest first.
 * @throws WaypostError `missing_scope`; `permission_denied`; `validation_failed`.
 */
export async function listWebhooks(args: {
  ctx: Context;
  input: z.output<typeof listWebhooksInput>;
}): Promise<Page<WebhookOutput>> {
  const { ctx } = args;
  requireCapability(ctx.actor, "webhooks.manage");
  const { limit, cursor } = args.input;
  const before = decodeCursor(ctx, LIST, cursor)?.[0];
  const rows = await ctx.services.orm
    .select(ENDPOINT_COLUMNS)
    .from(webhookEndpoints)
    .where(and(knownEndpoints(ctx), before === undefined ? undefined : lt(webhookEndpoints.id, before)))
    .orderBy(desc(webhookEndpoints.id))
    .limit(limit + 1);
  return pageOf({ ctx, list: LIST, rows, limit, shape: endpointShape, position: ({ id }) => [id] });
}
