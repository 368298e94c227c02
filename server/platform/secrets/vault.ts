import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";

/** Encrypts values that must be read back: channel tokens, app secrets, fingerprint keys, cursors of lists. */
export interface Vault {
  /**
   * Encrypts with AES-256-GCM. `purpose` is bound in: a value encrypted for one purpose can't be decrypted for another.
   */
  encrypt(plain: string, purpose: string): string;
  /** Like `encrypt`, but equal values of one purpose give the same result. */
  encryptStable(plain: string, purpose: string): string;
  /** @throws Error if the value was encrypted with another secret or purpose, or was changed. */
  decrypt(encrypted: string, purpose: string): string;
  /**
   * Derives a token for the purpose: the same one each time for one secret, without revealing the secret. 43
   * characters.
   */
  derive(purpose: string): string;
  /**
   * Identifies the secret without revealing it. It is kept in the database, so that a process with another secret can't
   * start.
   */
  readonly checkValue: string;
}

const VERSION = "v1";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const written = (bytes: Buffer) => `${VERSION}.${bytes.toString("base64url")}`;

/** @param secret `WAYPOST_SECRET`: any string with at least 32 characters of entropy-bearing text. */
export function createVault(secret: string): Vault {
  const key = Buffer.from(hkdfSync("sha256", secret, "waypost", "vault", 32));
  const deriveKey = Buffer.from(hkdfSync("sha256", secret, "waypost", "derive", 32));
  const checkKey = Buffer.from(hkdfSync("sha256", secret, "waypost", "check", 32));
  const nonceKey = Buffer.from(hkdfSync("sha256", secret, "waypost", "nonce", 32));
  const encryptUnder = (nonce: Buffer, plain: string, purpose: string) => {
    const cipher = createCipheriv("aes-256-gcm", key, nonce);
    cipher.setAAD(Buffer.from(purpose));
    const body = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
    return written(Buffer.concat([nonce, cipher.getAuthTag(), body]));
  };
  return {
    encrypt: (plain, purpose) => encryptUnder(randomBytes(NONCE_BYTES), plain, purpose),
    encryptStable(plain, purpose) {
      // Each purpose and value has its own nonce (as in RFC 5297), so no nonce is used for two values.
      const digest = createHmac("sha256", nonceKey)
        .update(JSON.stringify([purpose, plain]))
        .digest();
      return encryptUnder(digest.subarray(0, NONCE_BYTES), plain, purpose);
    },
    decrypt(encrypted, purpose) {
      const [version, payload] = encrypted.split(".", 2);
      if (version !== VERSION || payload === undefined) throw new Error("Unknown form of encrypted value");
      const bytes = Buffer.from(payload, "base64url");
      // Other encodings of the same bytes, such as with padding, were never issued.
      if (written(bytes) !== encrypted) throw new Error("Unknown form of encrypted value");
      const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.from(purpose));
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      return (
        decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, "utf8") + decipher.final("utf8")
      );
    },
    derive: (purpose) => createHmac("sha256", deriveKey).update(purpose).digest("base64url"),
    checkValue: createHmac("sha256", checkKey).update("waypost secret check").digest("base64url"),
  };
}

/** Encryption purpose of a channel's access token. */
export function accessTokenPurpose(channelId: string): string {
  return `channel-access-token:${channelId}`;
}

/** Encryption purpose of a channel's app secret. */
export function appSecretPurpose(channelId: string): string {
  return `channel-app-secret:${channelId}`;
}
