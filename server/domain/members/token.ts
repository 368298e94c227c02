import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";

const TOKEN_BYTES = 32;

/** Creates the token that a link carries behind its `#`, where no server and no log sees it: 256 random bits. */
export function newToken(): { readonly token: string; readonly hash: Buffer } {
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  return { token, hash: hashOfToken(token) };
}

/** The form of a presented token. */
export const tokenSchema = z.string().min(1).max(200);

/** Returns the stored hash of a token. */
export function hashOfToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
