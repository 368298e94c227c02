import { and, arrayContained, eq, getTableColumns, isNull, type SQL, sql } from "drizzle-orm";
import type { OrmTransaction } from "@/db/client";
import { webhookEndpoints, webhookFormerSecrets } from "@/db/schema";
import { allowedChannels } from "@/server/core/channel-access";
import type { Context } from "@/server/core/context";
import { WaypostError } from "@/server/platform/errors";
import { isUuid } from "@/server/lib/uuid";
import type { WebhookOutput } from "./schemas";

/** The columns of an endpoint, and the end of its last previous secret that still signs. */
export const ENDPOINT_COLUMNS = {
  ...getTableColumns(webhookEndpoints),
  // With full names: Drizzle omits the table's name if a statement has only one.
  formerSecretEndsAt: sql<Date | null>`(
    select max(f.ends_at) from webhook_former_secrets f
    where f.endpoint_id = webhook_endpoints.id and f.organization_id = webhook_endpoints.organization_id
      and f.ends_at > clock_timestamp())`.mapWith(webhookFormerSecrets.endsAt),
};

type EndpointRow = typeof webhookEndpoints.$inferSelect;
export type Endpoint = EndpointRow & { readonly formerSecretEndsAt: Date | null };

/** Endpoints that the actor can see: for a key that is limited to channels, only endpoints within these. */
export function knownEndpoints(ctx: Context): SQL | undefined {
  const allowed = allowedChannels(ctx);
  return and(
    eq(webhookEndpoints.organizationId, ctx.actor.organizationId),
    isNull(webhookEndpoints.deletedAt),
    // A null list means no limit, and so isn't contained in any list.
    allowed === null ? undefined : arrayContained(webhookEndpoints.channelIds, [...allowed]),
  );
}

/**
 * Reads an endpoint. @throws WaypostError `webhook_not_found`, the same for an unknown, malformed or removed endpoint's
 * id, another organization's, and one that isn't limited to channels of the key.
 */
export async function readEndpoint(ctx: Context, id: string): Promise<Endpoint> {
  const [endpoint] = await ctx.services.orm
    .select(ENDPOINT_COLUMNS)
    .from(webhookEndpoints)
    .where(isKnownEndpoint(ctx, id));
  return found(endpoint);
}

/** The same, and locks it until the transaction ends. */
export async function lockEndpoint(tx: OrmTransaction, ctx: Context, id: string): Promise<Endpoint> {
  const [endpoint] = await tx
    .select(ENDPOINT_COLUMNS)
    .from(webhookEndpoints)
    .where(isKnownEndpoint(ctx, id))
    .for("no key update");
  return found(endpoint);
}

function isKnownEndpoint(ctx: Context, id: string): SQL | undefined {
  if (!isUuid(id)) throw new WaypostError("webhook_not_found");
  return and(knownEndpoints(ctx), eq(webhookEndpoints.id, id));
}

function found(endpoint: Endpoint | undefined): Endpoint {
  if (endpoint === undefined) throw new WaypostError("webhook_not_found");
  return endpoint;
}

/** Changes a locked endpoint. */
export async function updateEndpoint(
  tx: OrmTransaction,
  { id, organizationId }: Endpoint,
  changes: Partial<{ [Column in keyof EndpointRow]: EndpointRow[Column] | SQL }>,
): Promise<Endpoint> {
  const [endpoint] = await tx
    .update(webhookEndpoints)
    .set(changes)
    .where(and(eq(webhookEndpoints.organizationId, organizationId), eq(webhookEndpoints.id, id)))
    .returning(ENDPOINT_COLUMNS);
  if (!endpoint) throw new Error("A locked webhook endpoint vanished");
  return endpoint;
}

/** The endpoint's previous secrets, whether they still sign or not. */
export function formerSecretsOf({ id, organizationId }: Endpoint): SQL | undefined {
  return and(
    eq(webhookFormerSecrets.endpointId, id),
    eq(webhookFormerSecrets.organizationId, organizationId),
  );
}

/** Returns whether events are posted to it: it has a URL, and is enabled. */
export function isDelivering({ url, disabledAt }: Endpoint): boolean {
  return url !== null && disabledAt === null;
}

/** Says why nothing is posted to an endpoint that isn't delivering. */
export function notDelivering({ url }: Endpoint): WaypostError {
  return new WaypostError("webhook_not_delivering", {
    message:
      url === null
        ? "The webhook endpoint has no URL: its events, skipped ones too, are fetched with `GET /webhooks/{id}/deliveries`."
        : "The webhook endpoint is disabled. Enable it first.",
  });
}

/** An endpoint as the public API shows it. */
export function endpointShape(endpoint: Endpoint): WebhookOutput {
  return {
    id: endpoint.id,
    url: endpoint.url,
    events: endpoint.events,
    description: endpoint.description,
    channel_ids: endpoint.channelIds,
    enabled: endpoint.disabledAt === null,
    disabled_at: isoOrNull(endpoint.disabledAt),
    disabled_reason: endpoint.disabledReason,
    failing_since: isoOrNull(endpoint.failingSince),
    former_secret_ends_at: isoOrNull(endpoint.formerSecretEndsAt),
    created_at: endpoint.createdAt.toISOString(),
  };
}

function isoOrNull(time: Date | null): string | null {
  return time === null ? null : time.toISOString();
}

/** Returns a URL for the audit log: without its query, which may contain tokens. */
export function shownUrl(url: string | null): string | null {
  return url === null
    ? null
    : url.replace(/[?#].*$/s, (rest) => (rest.length > 1 ? `${rest.charAt(0)}…` : rest));
}
