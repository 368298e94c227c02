import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";

const TOKEN_BYTES = 32;

/** What a link carries behind its `#`, where no server and no log sees it: 256 random bits. */
export function newToken(): { readonly token: string; readonly hash: Buffer } {
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  return { token, hash: hashOfToken(token) };
}

/** What somebody brings who says that it is one. */
export const tokenSchema = z.string().min(1).max(200);

/** What is kept of it. */
export function hashOfToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
