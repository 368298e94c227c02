import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";
import type { Vault } from "../vault";

const SECRET_BYTES = 32;

/** A new signing secret: `whsec_` and 32 random bytes in base64 (Standard Webhooks, "Symmetric"). */
export const newWebhookSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;

/** What the vault binds an endpoint's secrets to. */
export const webhookSecretPurpose = (endpointId: string): string => `webhook-secret:${endpointId}`;

/** The secrets of an endpoint as its row has them. */
export interface EncryptedSecrets {
  readonly endpointId: string;
  readonly secretEncrypted: string;
  /** Null when there is none that still signs. */
  readonly formerSecretEncrypted: string | null;
}

/** What is signed: the delivery's id, the time of the attempt, and the very bytes of the body. */
export interface Signed {
  readonly deliveryId: string;
  readonly at: Date;
  readonly body: string;
}

/** Values by which the receiver knows who sent it (Standard Webhooks). */
export interface SignatureHeaders {
  readonly "webhook-id": string;
  /** Unix seconds. */
  readonly "webhook-timestamp": string;
  /** Of the present secret first; during a rotation also of the former one. */
  readonly "webhook-signature": string;
}

/** @throws Error for secrets that were encrypted under another `WAYPOST_SECRET`. */
export function signatureHeaders(
  vault: Vault,
  secrets: EncryptedSecrets,
  { deliveryId, at, body }: Signed,
): SignatureHeaders {
  const { endpointId, secretEncrypted, formerSecretEncrypted } = secrets;
  const signatures = [secretEncrypted, formerSecretEncrypted].flatMap((encrypted) => {
    if (encrypted === null) return [];
    const secret = vault.decrypt(encrypted, webhookSecretPurpose(endpointId));
    return [new Webhook(secret).sign(deliveryId, at, body)];
  });
  return {
    "webhook-id": deliveryId,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": signatures.join(" "),
  };
}
