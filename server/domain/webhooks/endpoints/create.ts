import { and, count, eq, isNull, sql } from "drizzle-orm";
import type { OrmTransaction } from "@/db/client";
import { newId, organizations, webhookEndpoints } from "@/db/schema";
import { recordAudit } from "@/server/core/audit/record";
import { requireCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { WaypostError } from "@/server/platform/errors";
import { parseInput } from "@/server/core/input/parse-input";
import { backfillEvents } from "./backfill-events";
import { type Endpoint, ENDPOINT_COLUMNS, endpointShape, shownUrl } from "./endpoint";
import { endpointChannels, requireAllowedUrl } from "./endpoint-input";
import {
  CHOSEN_TYPES,
  createWebhookInput,
  type CreateWebhookInput,
  ENDPOINTS_MAX,
  type WebhookWithSecret,
} from "./schemas";
import { removeWebhook } from "./remove";
import { newWebhookSecret, webhookSecretPurpose } from "./secret";

/**
 * Creates a webhook endpoint: with a URL that events are posted to, or with null as one whose events wait to be
 * fetched, including earlier ones if requested. Its secret is only in this response.
 * @throws WaypostError `missing_scope`; `permission_denied`; `webhook_url_forbidden`; `channel_forbidden`;
 * `webhook_limit_reached`; `validation_failed`.
 */
export async function createWebhook(args: {
  ctx: Context;
  input: CreateWebhookInput;
}): Promise<WebhookWithSecret> {
  const { ctx } = args;
  requireCapability(ctx.actor, "webhooks.manage");
  const input = parseInput(createWebhookInput, args.input);
  const { url } = input;
  const since = input.since ?? null;
  if (url !== null && since !== null) throw earlierForUrl();
  if (url !== null) await requireAllowedUrl(ctx, url);
  const channelIds = await endpointChannels(ctx, input.channel_ids ?? null);
  const id = newId();
  const secret = newWebhookSecret();
  const endpoint = await ctx.services.orm.transaction(async (tx) => {
    await requireRoom(tx, ctx.actor.organizationId);
    const isDisabled = input.enabled === false;
    const [made] = await tx
      .insert(webhookEndpoints)
      .values({
        id,
        organizationId: ctx.actor.organizationId,
        url,
        description: input.description ?? "",
        events: input.events ?? CHOSEN_TYPES,
        channelIds,
        secretEncrypted: ctx.services.vault.encrypt(secret, webhookSecretPurpose(id)),
        disabledAt: isDisabled ? sql`now()` : null,
        disabledReason: isDisabled ? "member" : null,
      })
      .returning(ENDPOINT_COLUMNS);
    if (!made) throw new Error("The insert of a webhook endpoint returned no row");
    await recordCreation(tx, ctx, made);
    return made;
  });
  if (since !== null) await backfillOrRemove(ctx, endpoint, new Date(since));
  return { ...endpointShape(endpoint), secret };
}

/** Removes the endpoint if the backfill fails: nobody would ever see its secret. */
async function backfillOrRemove(ctx: Context, endpoint: Endpoint, since: Date): Promise<void> {
  try {
    await backfillEvents(ctx, endpoint, since);
  } catch (error) {
    await removeWebhook({ ctx, input: { id: endpoint.id } });
    throw error;
  }
}

function earlierForUrl(): WaypostError {
  return new WaypostError("validation_failed", {
    message:
      "`since` is only for an endpoint without `url`. Earlier events can be fetched but are never sent.",
    field: "since",
  });
}

/** Under a lock, so that concurrent requests can't exceed the limit. */
async function requireRoom(tx: OrmTransaction, organizationId: string): Promise<void> {
  await tx
    .select({ id: organizations.id })
    .from(organizations)
    .where(eq(organizations.id, organizationId))
    .for("no key update");
  const [present] = await tx
    .select({ count: count() })
    .from(webhookEndpoints)
    .where(and(eq(webhookEndpoints.organizationId, organizationId), isNull(webhookEndpoints.deletedAt)));
  if ((present?.count ?? 0) >= ENDPOINTS_MAX) throw new WaypostError("webhook_limit_reached");
}

async function recordCreation(tx: OrmTransaction, ctx: Context, endpoint: Endpoint): Promise<void> {
  await recordAudit(tx, ctx, {
    action: "webhook.created",
    subjectKind: "webhook",
    subjectId: endpoint.id,
    detail: {
      url: shownUrl(endpoint.url),
      events: endpoint.events,
      description: endpoint.description,
      channelIds: endpoint.channelIds,
      enabled: endpoint.disabledAt === null,
    },
  });
}
