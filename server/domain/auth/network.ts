import ipaddr from "ipaddr.js";

/** Of an IPv6 address; a household has as many addresses as it likes within it (RFC 6177). */
const IPV6_PREFIX_BITS = 64;

/** Whose an address is, as limits count it: an IPv4 address is one's own, of an IPv6 address the first half. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(
    `${withoutZone(parsed.toString())}/${IPV6_PREFIX_BITS}`,
  ).toString();
}

const withoutZone = (address: string) => address.replace(/%.*$/, "");
