import { sql } from "drizzle-orm";
import type { z } from "zod";
import { recordAudit } from "../audit/record";
import { requireCapability } from "../capabilities";
import type { Context } from "../context";
import { endpointShape, lockEndpoint, updateEndpoint } from "./endpoint";
import type { webhookInput, WebhookWithSecret } from "./schemas";
import { newWebhookSecret, webhookSecretPurpose } from "./secret";

export const OVERLAP_HOURS = 24;

/**
 * Gives a webhook endpoint a new secret, which is in this answer and nowhere else. The present one signs beside it for 24
 * hours; one that was in its 24 hours already ends now, so that at most two sign.
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
    const after = await updateEndpoint(tx, before, {
      secretEncrypted: ctx.services.vault.encrypt(secret, webhookSecretPurpose(before.id)),
      formerSecretEncrypted: before.secretEncrypted,
      formerSecretEndsAt: sql`clock_timestamp() + make_interval(hours => ${OVERLAP_HOURS})`,
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
