import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { Services } from "@/server/core/context";
import { appSecretPurpose } from "@/server/platform/secrets/vault";
import { isUuid } from "@/server/lib/uuid";

export interface CallbackChannel {
  readonly id: string;
  readonly organizationId: string;
  readonly phoneNumberId: string;
  readonly appSecretEncrypted: string;
  readonly verifyTokenHash: string;
}

/**
 * Finds the channel of a callback address. Includes disabled channels, so that earlier messages still get their
 * statuses.
 */
export async function findCallbackChannel(
  services: Services,
  channelId: string,
): Promise<CallbackChannel | null> {
  if (!isUuid(channelId)) return null;
  const [row] = await services.sql<CallbackChannel[]>`
    select id, organization_id as "organizationId", phone_number_id as "phoneNumberId", app_secret_encrypted as "appSecretEncrypted",
      verify_token_hash as "verifyTokenHash"
    from channels where id = ${channelId}`;
  return row ?? null;
}

/** Returns whether the token is the channel's verify token. */
export function isVerifyToken(channel: CallbackChannel, token: string): boolean {
  const hash = createHash("sha256").update(token).digest();
  const expected = Buffer.from(channel.verifyTokenHash, "hex");
  return expected.length === hash.length && timingSafeEqual(hash, expected);
}

const SIGNATURE = /^sha256=([0-9a-f]{64})$/i;

/**
 * Returns whether the header `X-Hub-Signature-256` signs exactly these bytes with the channel's app secret
 * (https://developers.facebook.com/docs/graph-api/webhooks/getting-started#validate-payloads).
 */
export function isSignedBy(
  services: Services,
  channel: CallbackChannel,
  body: Uint8Array,
  header: string | null,
): boolean {
  const signature = SIGNATURE.exec(header ?? "")?.[1];
  if (signature === undefined) return false;
  const secret = services.vault.decrypt(channel.appSecretEncrypted, appSecretPurpose(channel.id));
  return timingSafeEqual(createHmac("sha256", secret).update(body).digest(), Buffer.from(signature, "hex"));
}
