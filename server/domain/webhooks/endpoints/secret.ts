import { createHmac, randomBytes } from "node:crypto";
import type { Sql, TransactionSql } from "@/db/client";
import { WaypostError } from "@/server/platform/errors";
import type { Vault } from "@/server/platform/secrets/vault";

const SECRET_BYTES = 32;

const SECRET_PREFIX = "whsec_";

/** Creates a signing secret: `whsec_` and 32 random bytes in base64 (Standard Webhooks, "Symmetric"). */
export const newWebhookSecret = (): string =>
  `${SECRET_PREFIX}${randomBytes(SECRET_BYTES).toString("base64")}`;

/** The encryption purpose of an endpoint's secrets. */
export const webhookSecretPurpose = (endpointId: string): string => `webhook-secret:${endpointId}`;

/** The secrets of an endpoint that currently sign: the current one first, then previous ones until their ends. */
export interface EncryptedSecrets {
  readonly endpointId: string;
  readonly secretsEncrypted: readonly string[];
}

/**
 * SQL: `EncryptedSecrets` of an endpoint, in a statement that reads it as `e`. Ends are compared with the database's
 * clock. Claims get the same from `lock_webhook_slots` (db/migrations).
 */
export function secretsColumns(sql: Sql | TransactionSql) {
  return sql`e.id as "endpointId", array[e.secret_encrypted] || array(
    select f.secret_encrypted from webhook_former_secrets f
    where f.endpoint_id = e.id and f.organization_id = e.organization_id and f.ends_at > clock_timestamp()
    order by f.ends_at desc) as "secretsEncrypted"`;
}

/** Reads the secrets. @throws WaypostError `webhook_not_found` for an endpoint that doesn't exist, or was removed. */
export async function readSecrets(
  sql: Sql,
  { id, organizationId }: { readonly id: string; readonly organizationId: string },
): Promise<EncryptedSecrets> {
  const [secrets] = await sql<EncryptedSecrets[]>`
    select ${secretsColumns(sql)} from webhook_endpoints e
    where e.id = ${id} and e.organization_id = ${organizationId} and e.deleted_at is null`;
  if (!secrets) throw new WaypostError("webhook_not_found");
  return secrets;
}

/** The signed data: the `webhook-id`, the time of the attempt, and the exact bytes of the body. */
export interface Signed {
  readonly webhookId: string;
  readonly at: Date;
  readonly body: string;
}

/** Headers that authenticate the sender (Standard Webhooks). */
export interface SignatureHeaders {
  readonly "webhook-id": string;
  /** Unix seconds. */
  readonly "webhook-timestamp": string;
  /** One signature per signing secret, separated by spaces. */
  readonly "webhook-signature": string;
}

/**
 * Signs the data.
 * @throws Error for secrets that were encrypted under another `WAYPOST_SECRET`.
 */
export function signatureHeaders(
  vault: Vault,
  secrets: EncryptedSecrets,
  { webhookId, at, body }: Signed,
): SignatureHeaders {
  const { endpointId, secretsEncrypted } = secrets;
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = secretsEncrypted.map((encrypted) => {
    const secret = vault.decrypt(encrypted, webhookSecretPurpose(endpointId)).slice(SECRET_PREFIX.length);
    const hmac = createHmac("sha256", Buffer.from(secret, "base64"));
    return `v1,${hmac.update(`${webhookId}.${timestamp}.${body}`).digest("base64")}`;
  });
  return {
    "webhook-id": webhookId,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
}
