import { WaypostError } from "@/server/platform/errors";

const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Allows a request with a cookie to change data only if a page of this server sent it. Browsers send `Origin` and
 * `Sec-Fetch-Site` (Fetch standard); a client that sends neither is not a page. The scheme counts, too: a page loaded
 * over http, which others may have changed on its way, is another site.
 * @param publicUrl address that people use for this server. If it is known, pages of other addresses are refused, even
 * if `Host` agrees with them: an attacker can make their own domain point here (DNS rebinding). This machine's own
 * addresses are an exception, because an attacker can't do that with them.
 * @throws WaypostError `cross_site_request`.
 */
export function requireSameOrigin(request: Request, publicUrl: string | null): void {
  if (SAFE_METHODS.has(request.method)) return;
  const origin = request.headers.get("origin");
  if (origin === null) {
    if (request.headers.get("sec-fetch-site") === "same-origin") return;
    throw new WaypostError("cross_site_request");
  }
  if (publicUrl !== null && origin === new URL(publicUrl).origin) return;
  const host = request.headers.get("host");
  const page = URL.canParse(origin) ? new URL(origin) : null;
  const isOfHost = page !== null && host !== null && page.origin === originOf(schemeOf(request), host);
  if (isOfHost && (publicUrl === null || LOOPBACK.test(page.hostname))) return;
  throw new WaypostError("cross_site_request");
}

/** Set by the server, from a trusted proxy's header (`createSchemeFinder`). */
const schemeOf = (request: Request) =>
  request.headers.get("x-forwarded-proto")?.split(",", 1)[0]?.trim().toLowerCase() === "https"
    ? "https"
    : "http";

/** Omits the scheme's default port. Null if the host is invalid. */
function originOf(scheme: "http" | "https", host: string): string | null {
  const url = `${scheme}://${host}`;
  return URL.canParse(url) ? new URL(url).origin : null;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;
