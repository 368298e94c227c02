import type { IncomingHttpHeaders } from "node:http";

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Says why a caller is refused; null for one that may call. The simulator asks for no credentials, so no web page may
 * use it through somebody's browser: neither one that names its origin, nor one whose own name leads here (DNS rebinding).
 */
export function foreignCaller(headers: IncomingHttpHeaders, hostNames: readonly string[]): string | null {
  if (headers.origin !== undefined) return "the simulator answers programs only: the request has an Origin";
  const name = hostNameOf(headers.host ?? "");
  if (name !== null && (LOOPBACK.test(name) || hostNames.some((one) => hostNameOf(one) === name)))
    return null;
  return "the Host must be a loopback address, or the host that the simulator is configured with";
}

/** In lower case, an IPv6 address in brackets; null for what is no host. */
function hostNameOf(host: string): string | null {
  const inBrackets = /^[\da-f]*:[\da-f:.]*$/i.test(host) && host.split(":").length > 2 ? `[${host}]` : host;
  const url = `http://${inBrackets}`;
  if (inBrackets === "" || /[/?#@\\]/.test(inBrackets) || !URL.canParse(url)) return null;
  return new URL(url).hostname;
}
