import { addRange } from "@/server/platform/addresses";
import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";

/** The usual proxy runs on the same machine. */
const ALWAYS_TRUSTED = ["127.0.0.0/8", "::1"] as const;

/**
 * Finds the address that a request came from: the nearest address that isn't a trusted proxy's. A proxy appends the
 * address of its peer to `X-Forwarded-For`. Entries before the first untrusted address can be forged by the client.
 */
export function createAddressFinder(
  trustedProxies: readonly string[],
): (req: IncomingMessage) => string | null {
  const isTrusted = createProxyCheck(trustedProxies);
  return ({ socket, headers }) => {
    const forwarded = headers["x-forwarded-for"];
    const said = (Array.isArray(forwarded) ? forwarded.join(",") : (forwarded ?? ""))
      .split(",")
      .map((one) => plain(one.trim()));
    let address = plain(socket.remoteAddress ?? "");
    while (isIP(address) !== 0 && isTrusted(address)) {
      const before = said.pop();
      if (before === undefined || isIP(before) === 0) break;
      address = before;
    }
    return isIP(address) === 0 ? null : address;
  };
}

/**
 * Finds the scheme that the client used: the value of `X-Forwarded-Proto` from a trusted proxy, otherwise http, the
 * only one that this server supports.
 */
export function createSchemeFinder(
  trustedProxies: readonly string[],
): (req: IncomingMessage) => "http" | "https" {
  const isTrusted = createProxyCheck(trustedProxies);
  return ({ socket, headers }) => {
    const peer = plain(socket.remoteAddress ?? "");
    const [said = ""] = [headers["x-forwarded-proto"] ?? ""].flat().join(",").split(",");
    return isIP(peer) !== 0 && isTrusted(peer) && said.trim().toLowerCase() === "https" ? "https" : "http";
  };
}

function createProxyCheck(trustedProxies: readonly string[]): (address: string) => boolean {
  const trusted = new BlockList();
  for (const range of [...ALWAYS_TRUSTED, ...trustedProxies]) addRange(trusted, range);
  // The check creates an object each time, and most requests come through the same proxy.
  let last = { address: "", isTrusted: false };
  return (address) => {
    if (address !== last.address)
      last = { address, isTrusted: trusted.check(address, isIP(address) === 6 ? "ipv6" : "ipv4") };
    return last.isTrusted;
  };
}

/** Converts an IPv4 address in IPv6 form to IPv4, and removes a port. */
function plain(address: string): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  return (
    mapped ?? /^\[([^\]]+)\](?::\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address
  );
}
