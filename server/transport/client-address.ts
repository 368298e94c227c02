import { addRange } from "@/server/platform/addresses";
import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";

/** A proxy on the same machine is the usual one. */
const ALWAYS_TRUSTED = ["127.0.0.0/8", "::1"] as const;

/**
 * Tells from where a request came: the nearest address that isn't a trusted proxy's. A proxy adds whom it heard to the end
 * of `X-Forwarded-For`; what stands before the first address that isn't trusted is the client's own word.
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
 * Tells by which scheme the client sent a request: what a trusted proxy says in `X-Forwarded-Proto` of the client's own
 * connection, otherwise http, which is all that this server speaks.
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
  return (address) => trusted.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}

/** Of an IPv4 address in IPv6 form the IPv4 address; an address with a port without it. */
function plain(address: string): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  return (
    mapped ?? /^\[([^\]]+)\](?::\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address
  );
}
