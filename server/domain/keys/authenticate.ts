import type { KeyActor } from "@/server/core/actor";
import { isScope } from "@/server/core/capabilities";
import type { Services } from "@/server/core/context";
import { WaypostError, type ErrorCode } from "@/server/platform/errors";
import { secretFinder, type FoundSecret } from "./find-secrets";
import { hashSecret, isWellFormedSecret, SECRET_PREFIX } from "./secret";

export interface Credentials {
  /** The header `Authorization`, as received. */
  readonly authorization: string | undefined;
  /** The header `X-Api-Key`, as received. */
  readonly xApiKey: string | undefined;
}

const REFUSALS = {
  revoked: "api_key_revoked",
  expired: "api_key_expired",
} as const satisfies Record<Exclude<FoundSecret["status"], "live">, ErrorCode>;

/**
 * Identifies the caller by the key in `Authorization: Bearer` or `X-Api-Key`. The key's state is read for every call,
 * never cached: a revoked key stops with the very next request.
 * @throws WaypostError `api_key_required`: no header, an empty one, or another scheme than Bearer. `invalid_api_key`:
 * malformed or a wrong checksum (found without the database), unknown, two different keys, or a key in `Authorization`
 * without `Bearer`, whatever `X-Api-Key` has. `api_key_revoked`: also a secret whose overlap has ended.
 * `api_key_expired`, by the database's clock.
 */
export async function authenticateKey({
  services,
  ...credentials
}: { services: Services } & Credentials): Promise<KeyActor> {
  const secret = readSecret(credentials);
  if (!isWellFormedSecret(secret)) throw keyError("invalid_api_key");
  const found = await secretFinder(services)(hashSecret(secret));
  if (!found) throw keyError("invalid_api_key");
  if (found.status !== "live") throw keyError(REFUSALS[found.status]);
  return {
    kind: "key",
    organizationId: found.organizationId,
    keyId: found.keyId,
    keyName: found.name,
    keyPrefix: found.displayPrefix,
    secretId: found.secretId,
    scopes: found.scopes.filter(isScope),
    channelIds: found.channelIds,
    expiresAt: found.expiresAt,
    sendLimit: found.sendLimit,
    readLimit: found.readLimit,
  };
}

/** Returns the SHA-256 of the sent secret, if it is well-formed; null otherwise. Doesn't check whether a key has it. */
export function sentSecretHash(credentials: Credentials): Buffer | null {
  const { secret } = secretIn(credentials);
  return secret !== undefined && isWellFormedSecret(secret) ? hashSecret(secret) : null;
}

function readSecret(credentials: Credentials): string {
  const { secret, problem, message } = secretIn(credentials);
  if (problem !== undefined) throw keyError(problem, message);
  return secret;
}

type SentSecret =
  | { readonly secret: string; readonly problem?: undefined; readonly message?: undefined }
  | { readonly secret?: undefined; readonly problem: ErrorCode; readonly message?: string };

const WITHOUT_SCHEME =
  "The API key was sent in `Authorization` without a scheme. Send it as `Authorization: Bearer <API_KEY>` or as " +
  "`X-Api-Key: <API_KEY>`.";

const TWO_KEYS =
  "Two different API keys were sent, one in `Authorization` and one in `X-Api-Key`. Send one of them.";

function secretIn({ authorization, xApiKey }: Credentials): SentSecret {
  if (authorization?.trimStart().startsWith(SECRET_PREFIX)) {
    return { problem: "invalid_api_key", message: WITHOUT_SCHEME };
  }
  const bearer = /^[ \t]*bearer[ \t]+(.*?)[ \t]*$/i.exec(authorization ?? "")?.[1] ?? "";
  const plain = xApiKey?.trim() ?? "";
  const secret = bearer || plain;
  if (secret === "") return { problem: "api_key_required" };
  if (plain !== "" && plain !== secret) return { problem: "invalid_api_key", message: TWO_KEYS };
  return { secret };
}

/** The error for a key that isn't accepted. RFC 9110 section 11.6.1 requires the challenge in every 401. */
export function keyError(code: ErrorCode, message?: string): WaypostError {
  return new WaypostError(code, { message, headers: { "WWW-Authenticate": "Bearer" } });
}

/**
 * Checks again that an authenticated key may still act. For long operations, during which it can be revoked.
 * @throws WaypostError `api_key_revoked`, also if its secret's overlap has ended; `api_key_expired`, by the database's
 * clock.
 */
export async function requireLive(
  { sql }: Services,
  { organizationId, keyId, secretId }: KeyActor,
): Promise<void> {
  const [key] = await sql<{ isExpired: boolean }[]>`
    select coalesce(k.expires_at <= clock_timestamp(), false) as "isExpired"
    from api_keys k
    join api_key_secrets s on s.organization_id = k.organization_id and s.key_id = k.id
    where k.organization_id = ${organizationId} and k.id = ${keyId} and s.id = ${secretId}
      and k.revoked_at is null and (s.ends_at is null or s.ends_at > clock_timestamp())`;
  if (!key) throw keyError("api_key_revoked");
  if (key.isExpired) throw keyError("api_key_expired");
}
