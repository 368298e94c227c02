import type { Services } from "@/server/core/context";
import { isUuid } from "@/server/lib/uuid";
import { secretsColumns, webhookSecretPurpose } from "@/server/domain/webhooks/endpoints/secret";
import { inboxPath } from "@/server/core/service-urls";

export interface Inbox {
  readonly organizationId: string;
  /** The secrets of the endpoints that deliver here, including previous ones that still sign during a rotation. */
  readonly secrets: readonly string[];
}

interface SecretsRow {
  readonly organizationId: string;
  /** Null if no endpoint has this URL. */
  readonly endpointId: string | null;
  readonly secretsEncrypted: readonly string[];
}

/** Finds the inbox of an organization; null if it is no demo, or doesn't exist. */
export async function findInbox(
  { sql, vault }: Pick<Services, "sql" | "vault">,
  organizationId: string,
): Promise<Inbox | null> {
  if (!isUuid(organizationId)) return null;
  const path = inboxPath(organizationId.toLowerCase());
  const rows = await sql<SecretsRow[]>`
    select o.id as "organizationId", ${secretsColumns(sql)}
    from organizations o
    left join webhook_endpoints e on e.organization_id = o.id and e.deleted_at is null
      and right(e.url, ${path.length}) = ${path}
    where o.id = ${organizationId} and o.is_demo`;
  const [first] = rows;
  if (!first) return null;
  const secrets = rows.flatMap(({ endpointId, secretsEncrypted }) => {
    if (endpointId === null) return [];
    const purpose = webhookSecretPurpose(endpointId);
    return secretsEncrypted.map((encrypted) => vault.decrypt(encrypted, purpose));
  });
  return { organizationId: first.organizationId, secrets };
}
