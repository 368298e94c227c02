import { and, desc, gt, notInArray, sql } from "drizzle-orm";
import type { z } from "zod";
import type { OrmTransaction } from "@/db/client";
import { webhookFormerSecrets } from "@/db/schema";
import { recordAudit } from "@/server/core/audit/record";
import { requireCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { type Endpoint, endpointShape, formerSecretsOf, lockEndpoint, updateEndpoint } from "./endpoint";
import type { webhookInput, WebhookWithSecret } from "./schemas";
import { newWebhookSecret, webhookSecretPurpose } from "./secret";

export const OVERLAP_HOURS = 24;

/** Keeps the signature header short, however often the secret is rotated. */
export const FORMER_SECRETS_MAX = 4;

/**
 * Gives a webhook endpoint a new secret, which is only in this response. The current one signs beside it for 24 hours,
 * even over further rotations, so that repeating a rotation with a lost response breaks no receiver. At most the last
 * four previous secrets sign.
 * @throws WaypostError `missing_scope`; `permission_denied`; `webhook_not_found`.
 */
export async function rotateWebhookSecret(args: {
  ctx: Context;
  input: z.output<typeof webhookInput>;
}): Promise<WebhookWithSecret> {
  const { ctx, input } = args;
  requireCapability(ctx.actor, "webhooks.manage");
  const secret = newWebhookSecret();
  return ctx.services.orm.transaction(async (tx) => {
    const before = await lockEndpoint(tx, ctx, input.id);
    await keepFormer(tx, before);
    const after = await updateEndpoint(tx, before, {
      secretEncrypted: ctx.services.vault.encrypt(secret, webhookSecretPurpose(before.id)),
    });
    await recordAudit(tx, ctx, {
      action: "webhook.secret_rotated",
      subjectKind: "webhook",
      subjectId: before.id,
      detail: { formerSecretEndsAt: after.formerSecretEndsAt },
    });
    return { ...endpointShape(after), secret };
  });
}

/** The current secret becomes a previous one; those that have ended, or exceed the maximum, are deleted. */
async function keepFormer(tx: OrmTransaction, endpoint: Endpoint): Promise<void> {
  const { id, organizationId, secretEncrypted } = endpoint;
  const former = formerSecretsOf(endpoint);
  const kept = tx
    .select({ id: webhookFormerSecrets.id })
    .from(webhookFormerSecrets)
    .where(and(former, gt(webhookFormerSecrets.endsAt, sql`clock_timestamp()`)))
    .orderBy(desc(webhookFormerSecrets.endsAt))
    .limit(FORMER_SECRETS_MAX - 1);
  await tx.delete(webhookFormerSecrets).where(and(former, notInArray(webhookFormerSecrets.id, kept)));
  await tx.insert(webhookFormerSecrets).values({
    organizationId,
    endpointId: id,
    secretEncrypted,
    endsAt: sql`clock_timestamp() + make_interval(hours => ${OVERLAP_HOURS})`,
  });
}
