import { BASE_PATH } from "../public-api/routes";

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

/**
 * Whether Next may be asked for the path. Not for one that can't be decoded, on which it fails; nor for the API's in
 * another spelling, where a page would be the answer to a program.
 * @param isApiOfNext whether the public API is one of its routes.
 */
export function isForNext(path: string, isApiOfNext: boolean): boolean {
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
