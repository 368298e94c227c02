import { WaypostError } from "@/server/platform/errors";
import { BASE_PATH } from "@/server/platform/addresses";

/** Paths below `/api` that Next serves. All others there are served by this server, or don't exist. */
const PATHS_OF_NEXT = ["/api/inngest"] as const;

/**
 * Returns path and query of a request's target. The target may be a whole address, as to a proxy, and every server must
 * accept that (RFC 9112 section 3.2.2). Null for a target that has no path, such as `*`.
 */
export function originForm(target: string): string | null {
  const absolute = /^https?:\/\/[^/?]+/i.exec(target)?.[0] ?? "";
  const rest = target.slice(absolute.length);
  if (rest.startsWith("/")) return rest;
  return absolute !== "" && (rest === "" || rest.startsWith("?")) ? `/${rest}` : null;
}

/** Methods that Next's API routes and the Fetch API both support. Both fail on others. */
const METHODS_OF_ROUTES = ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"] as const;
/** Pages are read-only. Next would respond to a POST with the page, in case it were a server action. */
const METHODS_OF_PAGES = ["GET", "HEAD"] as const;
/** Paths that Next's own pages call in development. */
const OF_NEXT_ITSELF = "/__nextjs";

/**
 * Returns the error for a request that must not reach Next. Null if it may. Next fails on paths that can't be decoded
 * and on unknown methods, and would serve a page for another spelling of an API path.
 * @param isApiOfNext true if Next serves the public API.
 */
export function errorBeforeNext(
  method: string | undefined,
  path: string,
  isApiOfNext: boolean,
): WaypostError | null {
  if (!isPathForNext(path, isApiOfNext)) return new WaypostError("not_found");
  const isRoute = path.startsWith("/api/") || path.startsWith(OF_NEXT_ITSELF);
  return methodError(method, isRoute ? METHODS_OF_ROUTES : METHODS_OF_PAGES);
}

/**
 * Returns null for one of these methods. If none are given, returns null for any method that the Fetch API supports.
 */
export function methodError(
  method: string | undefined,
  methods: readonly string[] = METHODS_OF_ROUTES,
): WaypostError | null {
  if (method !== undefined && methods.includes(method)) return null;
  return new WaypostError("method_not_allowed", { headers: { Allow: methods.join(", ") } });
}

function isPathForNext(path: string, isApiOfNext: boolean): boolean {
  const decoded = decode(path);
  if (decoded === null) return false;
  if (!/^[/\\]+api(?![\w-])/i.test(decoded)) return true;
  const paths: readonly string[] = isApiOfNext ? [...PATHS_OF_NEXT, BASE_PATH] : PATHS_OF_NEXT;
  return paths.some((one) => isBelow(path, one));
}

export function isBelow(path: string, base: string): boolean {
  return path === base || path.startsWith(`${base}/`);
}

function decode(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}
