import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isBelow } from "./target";

/** Under which a page's own code finds the nonce; Next finds it in the policy. */
const NONCE_HEADER = "x-nonce";
/** Under which a page's code finds its own address, path and query, which Next tells no layout. */
const ADDRESS_HEADER = "x-page-address";
const POLICY = "content-security-policy";

/** Scripts, styles and fonts, which no policy of their own protects: each would only be larger by it. */
const ASSETS_PATH = "/_next/static";

/**
 * Gives the answer of a page its security headers, and the page the nonce that its scripts and styles must carry.
 * Style attributes are allowed: React and Mantine lay out by them, and they can't run anything.
 */
export function securePages(
  req: IncomingMessage,
  res: ServerResponse,
  { path, publicUrl, isDevelopment }: { path: string; publicUrl: string | null; isDevelopment: boolean },
): void {
  res.setHeader("X-Content-Type-Options", "nosniff");
  if (isBelow(path, ASSETS_PATH)) return;
  const nonce = randomBytes(16).toString("base64");
  const policy = policyOf(nonce, isDevelopment);
  req.headers[POLICY] = policy;
  req.headers[NONCE_HEADER] = nonce;
  req.headers[ADDRESS_HEADER] = req.url ?? path;
  const headers = {
    "Content-Security-Policy": policy,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    ...(publicUrl?.startsWith("https:") ? { "Strict-Transport-Security": "max-age=31536000" } : {}),
  };
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
}

/**
 * Redoc puts the style sheet of its scroll bars into the page without a nonce: an empty element first, then its text.
 * Both are let in by what they hold.
 */
const REDOC_STYLES =
  "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=' 'sha256-QMIg+bpjm3JdElJ388KYke01izlUW0UoNOeKjpMxdgc='";

function policyOf(nonce: string, isDevelopment: boolean): string {
  const own = `'self' 'nonce-${nonce}'`;
  const directives = {
    "default-src": "'self'",
    // React tells more of an error in development by eval.
    "script-src": isDevelopment ? `${own} 'unsafe-eval'` : `${own} 'strict-dynamic'`,
    "style-src": `${own} ${REDOC_STYLES}`,
    "style-src-attr": "'unsafe-inline'",
    "img-src": "'self' data: blob:",
    "connect-src": isDevelopment ? "'self' ws:" : "'self'",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
  };
  return Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`)
    .join("; ");
}
