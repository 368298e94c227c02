import { BlockList, isIP } from "node:net";

type Subnet = readonly [address: string, prefix: number];

/**
 * IPv4 ranges that aren't reachable on the public internet, or at which a cloud platform responds internally (IANA IPv4
 * Special-Purpose Address Registry; RFC 5771 for multicast).
 */
const SPECIAL_IPV4 = [
  ["0.0.0.0", 8], // this network
  ["10.0.0.0", 8], // private
  ["100.64.0.0", 10], // shared by a carrier's customers
  ["127.0.0.0", 8], // loopback
  ["168.63.129.16", 32], // Azure's platform, seen from its machines
  ["169.254.0.0", 16], // link-local, cloud metadata
  ["172.16.0.0", 12], // private
  ["192.0.0.0", 24], // protocol assignments
  ["192.0.2.0", 24], // documentation
  ["192.88.99.0", 24], // 6to4 relays, withdrawn
  ["192.168.0.0", 16], // private
  ["198.18.0.0", 15], // benchmarks
  ["198.51.100.0", 24], // documentation
  ["203.0.113.0", 24], // documentation
  ["224.0.0.0", 4], // multicast
  ["240.0.0.0", 4], // reserved, broadcast
] as const satisfies readonly Subnet[];

/** The IPv6 ranges that are assigned to the public internet, and the IPv4 translation that every network shares. */
const NAT64 = "64:ff9b::";
const GLOBAL_IPV6 = [
  ["2000::", 3], // global unicast
  [NAT64, 96], // RFC 6052: contains an IPv4 address
] as const satisfies readonly Subnet[];

/** Ranges within those that aren't public (IANA IPv6 Special-Purpose Address Registry). */
const SPECIAL_IPV6 = [
  ["2001::", 23], // protocol assignments: Teredo, benchmarks, ORCHID
  ["2001:db8::", 32], // documentation
  ["2002::", 16], // 6to4: any IPv4 behind it
  ["3fff::", 20], // documentation
  ...SPECIAL_IPV4.map(([address, prefix]) => [`${NAT64}${address}`, 96 + prefix] as const),
] as const satisfies readonly Subnet[];

const specialIpv4 = listOf(SPECIAL_IPV4, "ipv4");
const globalIpv6 = listOf(GLOBAL_IPV6, "ipv6");
const specialIpv6 = listOf(SPECIAL_IPV6, "ipv6");

function listOf(subnets: readonly Subnet[], family: "ipv4" | "ipv6"): BlockList {
  const list = new BlockList();
  for (const [address, prefix] of subnets) list.addSubnet(address, prefix, family);
  return list;
}

/**
 * Returns true if the address is on the public internet. Fails closed: IPv6 that embeds IPv4 (mapped, compatible, 6to4,
 * Teredo) never is, except NAT64 of a public address, which networks without IPv4 use to reach IPv4 hosts.
 * @param address IPv4 in dotted decimal form, or IPv6. Anything else isn't public.
 */
export function isPublicAddress(address: string): boolean {
  // An address with a zone belongs to one link, whatever its number.
  if (address.includes("%")) return false;
  switch (isIP(address)) {
    case 4:
      return !specialIpv4.check(address, "ipv4");
    case 6:
      return globalIpv6.check(address, "ipv6") && !specialIpv6.check(address, "ipv6");
    default:
      return false;
  }
}
