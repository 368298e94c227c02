import { WaypostError } from "@/server/platform/errors";
import { BASE_PATH } from "@/server/platform/base-path";

/** What Next answers below `/api`: everything else there is answered here, or isn't there. */
const PATHS_OF_NEXT = ["/api/inngest"] as const;

/**
 * Path and query of a request's target, which may name the whole address, as to a proxy: every server has to take that
 * (RFC 9112 section 3.2.2). Null for what is no path, such as `*`.
 */
export function originForm(target: string): string | null {
  const absolute = /^https?:\/\/[^/?]+/i.exec(target)?.[0] ?? "";
  const rest = target.slice(absolute.length);
  if (rest.startsWith("/")) return rest;
  return absolute !== "" && (rest === "" || rest.startsWith("?")) ? `/${rest}` : null;
}

/** Those that the API's routes of Next and the Fetch API know. On others both fail. */
const METHODS_OF_ROUTES = ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"] as const;
/** Pages are only read. Next would answer a POST with the page, in case it were an action of the server's. */
const METHODS_OF_PAGES = ["GET", "HEAD"] as const;
/** What Next's own pages send to it in development. */
const OF_NEXT_ITSELF = "/__nextjs";

/**
 * The error for a request that isn't given to Next; null when it is. Next fails on paths that can't be decoded and on
 * unknown methods, and would answer another spelling of an API path with a page.
 * @param isApiOfNext whether the public API is one of its routes.
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

/** Null for one of these methods, or, where none are given, for one that the Fetch API knows. */
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
