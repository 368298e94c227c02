import { sql } from "drizzle-orm";
import type { z } from "zod";
import type { OrmTransaction } from "@/db/client";
import { webhookFormerSecrets } from "@/db/schema";
import { recordAudit } from "@/server/core/audit/record";
import { requireCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { type Endpoint, formerSecretsOf, lockEndpoint, shownUrl, updateEndpoint } from "./endpoint";
import type { webhookInput } from "./schemas";

/**
 * Removes a webhook endpoint: from now on nothing is delivered to it, and nobody sees it or its deliveries again. Its
 * secrets are deleted, and so is the URL's part after the path, which may contain tokens; the rest identifies it in the
 * audit log.
 * @throws WaypostError `missing_scope`; `permission_denied`; `webhook_not_found`, also the second time.
 */
export async function removeWebhook(args: {
  ctx: Context;
  input: z.output<typeof webhookInput>;
}): Promise<void> {
  const { ctx, input } = args;
  requireCapability(ctx.actor, "webhooks.manage");
  const { id } = await ctx.services.orm.transaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, ctx, input.id);
    await forget(tx, endpoint);
    await recordAudit(tx, ctx, {
      action: "webhook.removed",
      subjectKind: "webhook",
      subjectId: endpoint.id,
      detail: { url: shownUrl(endpoint.url), description: endpoint.description },
    });
    return endpoint;
  });
  // Waiting deliveries are skipped.
  ctx.services.jobs.notifyEndpoint(id);
}

async function forget(tx: OrmTransaction, endpoint: Endpoint): Promise<void> {
  await updateEndpoint(tx, endpoint, {
    deletedAt: sql`now()`,
    url: endpoint.url?.replace(/[?#].*$/s, "") ?? null,
    secretEncrypted: "",
  });
  await tx.delete(webhookFormerSecrets).where(formerSecretsOf(endpoint));
}
