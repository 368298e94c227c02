import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";

/** Encrypts what must be read back: channel tokens, app secrets, fingerprint keys, cursors of lists. */
export interface Vault {
  /** AES-256-GCM. `purpose` is bound in: a value encrypted for one purpose can't be read for another. */
  encrypt(plain: string, purpose: string): string;
  /** The same, but equal values of one purpose are encrypted alike. */
  encryptStable(plain: string, purpose: string): string;
  /** @throws Error when the value was made under another secret or purpose, or was changed. */
  decrypt(encrypted: string, purpose: string): string;
  /** A token for the purpose: the same each time under one secret, and tells nothing of it. 43 characters. */
  derive(purpose: string): string;
  /** Recognises the secret without telling it: kept in the database so that a process with another one can't start. */
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
      // A nonce of its own for each purpose and value (as in RFC 5297): none serves two values.
      const digest = createHmac("sha256", nonceKey)
        .update(JSON.stringify([purpose, plain]))
        .digest();
      return encryptUnder(digest.subarray(0, NONCE_BYTES), plain, purpose);
    },
    decrypt(encrypted, purpose) {
      const [version, payload] = encrypted.split(".", 2);
      if (version !== VERSION || payload === undefined) throw new Error("Unknown form of encrypted value");
      const bytes = Buffer.from(payload, "base64url");
      // Other spellings of the same bytes, such as with padding, were never given out.
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
