import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isBelow } from "./target";

/** Header with the nonce for a page's own code. Next reads the nonce from the policy. */
const NONCE_HEADER = "x-nonce";
/** Header with the page's own address, path and query. Next doesn't pass them to layouts. */
const ADDRESS_HEADER = "x-page-address";
const POLICY = "content-security-policy";

/** Pages below it are also served as markdown. */
const DOCUMENTATION_PATH = "/docs";

/** Scripts, styles and fonts don't need a policy, which would only make each response larger. */
const ASSETS_PATH = "/_next/static";

/**
 * Sets the security headers of a page's response, and passes the page the nonce for its scripts and styles. Style
 * attributes are allowed, because React and Mantine use them for layout and they can't run code.
 */
export function securePages(
  req: IncomingMessage,
  res: ServerResponse,
  { path, publicUrl, isDevelopment }: { path: string; publicUrl: string | null; isDevelopment: boolean },
): void {
  res.setHeader("X-Content-Type-Options", "nosniff");
  if (isBelow(path, ASSETS_PATH)) return;
  if (isBelow(path, DOCUMENTATION_PATH)) varyByAccept(res);
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

/** Adds `Accept` to the header `Vary` when the headers are sent: Next replaces what was set before. */
function varyByAccept(res: ServerResponse): void {
  const writeHead = res.writeHead.bind(res);
  Object.assign(res, {
    writeHead: (...head: Parameters<typeof writeHead>) => {
      if (!/\baccept\b(?!-)/i.test(String(res.getHeader("Vary")))) res.appendHeader("Vary", "Accept");
      return writeHead(...head);
    },
  });
}

function policyOf(nonce: string, isDevelopment: boolean): string {
  const own = `'self' 'nonce-${nonce}'`;
  const directives = {
    "default-src": "'self'",
    // In development, React uses eval to show more details of an error.
    "script-src": isDevelopment ? `${own} 'unsafe-eval'` : `${own} 'strict-dynamic'`,
    "style-src": own,
    "style-src-attr": "'unsafe-inline'",
    "img-src": "'self' data: blob:",
    // The files on a simulated customer's phone.
    "media-src": "'self' data:",
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
