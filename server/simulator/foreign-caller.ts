import type { IncomingHttpHeaders } from "node:http";

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Returns why a caller is refused. Null for one that may call. The simulator needs no credentials, so no web page may
 * use it through a person's browser: neither one that sends its origin, nor one whose own name resolves to this machine
 * (DNS rebinding).
 */
export function foreignCaller(headers: IncomingHttpHeaders, hostNames: readonly string[]): string | null {
  if (headers.origin !== undefined) return "the simulator answers programs only: the request has an Origin";
  const name = hostNameOf(headers.host ?? "");
  if (name !== null && (LOOPBACK.test(name) || hostNames.some((one) => hostNameOf(one) === name)))
    return null;
  return "the Host must be a loopback address, or the host that the simulator is configured with";
}

/** Returns the host name in lower case, an IPv6 address in brackets. Null if the host is invalid. */
function hostNameOf(host: string): string | null {
  const inBrackets = /^[\da-f]*:[\da-f:.]*$/i.test(host) && host.split(":").length > 2 ? `[${host}]` : host;
  const url = `http://${inBrackets}`;
  if (inBrackets === "" || /[/?#@\\]/.test(inBrackets) || !URL.canParse(url)) return null;
  return new URL(url).hostname;
}
