import ipaddr from "ipaddr.js";

/** Bits of an IPv6 address. A household can have any number of addresses within them (RFC 6177). */
const IPV6_PREFIX_BITS = 64;

/**
 * Returns the network that rate limits count for an address: an IPv4 address itself, the first half of an IPv6 address.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(
    `${withoutZone(parsed.toString())}/${IPV6_PREFIX_BITS}`,
  ).toString();
}

const withoutZone = (address: string) => address.replace(/%.*$/, "");
