import type { z } from "zod";
import { requireCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { endpointShape, readEndpoint } from "./endpoint";
import type { webhookInput, WebhookOutput } from "./schemas";

/** Returns one webhook endpoint. @throws WaypostError `missing_scope`; `permission_denied`; `webhook_not_found`. */
export async function getWebhook(args: {
  ctx: Context;
  input: z.output<typeof webhookInput>;
}): Promise<WebhookOutput> {
  requireCapability(args.ctx.actor, "webhooks.manage");
  return endpointShape(await readEndpoint(args.ctx, args.input.id));
}
