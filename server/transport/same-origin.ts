import { WaypostError } from "@/server/platform/errors";

const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Lets a request that a cookie may speak for change something only where a page of this server sent it. Browsers say so
 * (Fetch standard, `Origin` and `Sec-Fetch-Site`); whoever says neither is no page.
 * The page's scheme counts, too: one that came over http, which others may have changed on its way, is another site.
 * @param publicUrl under which people reach this server. Where it is known, pages of no other address count, even where `Host`
 * agrees with them: a name that somebody else owns can be made to lead here (DNS rebinding). This machine's own can't.
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

/** Set by the server, from what a trusted proxy says (`createSchemeFinder`). */
const schemeOf = (request: Request) =>
  request.headers.get("x-forwarded-proto")?.split(",", 1)[0]?.trim().toLowerCase() === "https"
    ? "https"
    : "http";

/** Without the port that the scheme has anyway. Null for what is no host. */
function originOf(scheme: "http" | "https", host: string): string | null {
  const url = `${scheme}://${host}`;
  return URL.canParse(url) ? new URL(url).origin : null;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;
