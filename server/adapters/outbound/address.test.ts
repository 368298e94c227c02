import fc from "fast-check";
import { expect, test } from "vitest";
import { isPublicAddress } from "./address";

/** First and last address of each range that isn't public, and the addresses just outside. */
const IPV4 = [
  { range: "this network", within: ["0.0.0.0", "0.255.255.255"], outside: ["1.0.0.0"] },
  { range: "private 10", within: ["10.0.0.0", "10.255.255.255"], outside: ["9.255.255.255", "11.0.0.0"] },
  {
    range: "carrier",
    within: ["100.64.0.0", "100.127.255.255", "100.100.100.200"],
    outside: ["100.63.255.255", "100.128.0.0"],
  },
  {
    range: "loopback",
    within: ["127.0.0.0", "127.0.0.1", "127.255.255.255"],
    outside: ["126.255.255.255", "128.0.0.0"],
  },
  {
    range: "link-local",
    within: ["169.254.0.0", "169.254.169.254", "169.254.255.255"],
    outside: ["169.253.255.255", "169.255.0.0"],
  },
  {
    range: "private 172",
    within: ["172.16.0.0", "172.31.255.255"],
    outside: ["172.15.255.255", "172.32.0.0"],
  },
  {
    range: "protocols",
    within: ["192.0.0.0", "192.0.0.192", "192.0.0.255"],
    outside: ["191.255.255.255", "192.0.1.0"],
  },
  { range: "documentation 1", within: ["192.0.2.0", "192.0.2.255"], outside: ["192.0.1.255", "192.0.3.0"] },
  {
    range: "6to4 relays",
    within: ["192.88.99.0", "192.88.99.255"],
    outside: ["192.88.98.255", "192.88.100.0"],
  },
  {
    range: "private 192",
    within: ["192.168.0.0", "192.168.255.255"],
    outside: ["192.167.255.255", "192.169.0.0"],
  },
  {
    range: "benchmarks",
    within: ["198.18.0.0", "198.19.255.255"],
    outside: ["198.17.255.255", "198.20.0.0"],
  },
  {
    range: "documentation 2",
    within: ["198.51.100.0", "198.51.100.255"],
    outside: ["198.51.99.255", "198.51.101.0"],
  },
  {
    range: "documentation 3",
    within: ["203.0.113.0", "203.0.113.255"],
    outside: ["203.0.112.255", "203.0.114.0"],
  },
  {
    range: "multicast and reserved",
    within: ["224.0.0.0", "239.255.255.255", "240.0.0.0", "255.255.255.255"],
    outside: ["223.255.255.255"],
  },
  { range: "Azure's platform", within: ["168.63.129.16"], outside: ["168.63.129.15", "168.63.129.17"] },
] as const;

const IPV6 = [
  { range: "unspecified", within: ["::"], outside: [] },
  { range: "loopback", within: ["::1"], outside: [] },
  { range: "IPv4-compatible", within: ["::8.8.8.8", "::7f00:1"], outside: [] },
  { range: "IPv4-mapped", within: ["::ffff:127.0.0.1", "::ffff:8.8.8.8", "::ffff:808:808"], outside: [] },
  { range: "IPv4-translated", within: ["::ffff:0:127.0.0.1", "::ffff:0:808:808"], outside: [] },
  {
    range: "NAT64 of what isn't public",
    within: ["64:ff9b::10.1.2.3", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b::", "64:ff9b::8"],
    outside: ["64:ff9b::8.8.8.8", "64:ff9b::101:101"],
  },
  { range: "a network's own NAT64", within: ["64:ff9b:1::808:808"], outside: [] },
  { range: "discard", within: ["100::", "100::1"], outside: [] },
  { range: "Teredo", within: ["2001::", "2001:0:4136:e378:8000:63bf:3fff:fdd2"], outside: [] },
  {
    range: "protocols",
    within: ["2001:2::1", "2001:10::1", "2001:20::1", "2001:1ff:ffff::"],
    outside: ["2001:200::", "2000:ffff::1"],
  },
  {
    range: "documentation",
    within: ["2001:db8::", "2001:db8:ffff::1"],
    outside: ["2001:db7::", "2001:db9::"],
  },
  { range: "6to4", within: ["2002:7f00:1::", "2002:808:808::1"], outside: ["2003::1"] },
  { range: "new documentation", within: ["3fff::1", "3fff:fff::1"], outside: ["3fff:1000::", "3ffe::1"] },
  { range: "what isn't assigned", within: ["4000::1", "5f00::1", "8000::", "1fff:ffff::"], outside: [] },
  { range: "unique local", within: ["fc00::1", "fd00:ec2::254"], outside: [] },
  { range: "link-local", within: ["fe80::1", "fe80::1%eth0", "febf::1"], outside: [] },
  { range: "site-local", within: ["fec0::1"], outside: [] },
  { range: "multicast", within: ["ff00::", "ff02::1"], outside: [] },
  { range: "a zone", within: ["2606:4700::1%1"], outside: ["2606:4700::1", "2620:4f:8000::1"] },
] as const;

const ranges = [...IPV4, ...IPV6];

test.each(ranges.flatMap(({ range, within }) => within.map((address) => ({ range, address }))))(
  "$address isn't public: $range",
  ({ address }) => {
    expect(isPublicAddress(address)).toBe(false);
  },
);

test.each(ranges.flatMap(({ range, outside }) => outside.map((address) => ({ range, address }))))(
  "$address, beside $range, is public",
  ({ address }) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

test.each(["", "example.com", "2130706433", "0x7f.1", "8.8.8", "[2606:4700::1]", " 8.8.8.8", "8.8.8.8/32"])(
  "%j isn't an address, and so not a public one",
  (text) => {
    expect(isPublicAddress(text)).toBe(false);
  },
);

const asNumber = (address: string) => address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
const asText = (value: number) => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join(".");
/** Computed from the first and last address of each range alone. */
const bounds = IPV4.map(({ within }) => within.map(asNumber)).map((ends) => [
  Math.min(...ends),
  Math.max(...ends),
]);

test("any IPv4 address is public unless it lies in one of the ranges, and NAT64 of it is just as public", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.integer({ min: 0, max: 2 ** 32 - 1 }),
        ...bounds.map(([min = 0, max = 0]) =>
          fc.integer({ min: Math.max(0, min - 300), max: Math.min(2 ** 32 - 1, max + 300) }),
        ),
      ),
      (value) => {
        const isPublic = !bounds.some(([min = 0, max = 0]) => value >= min && value <= max);
        expect(isPublicAddress(asText(value))).toBe(isPublic);
        expect(isPublicAddress(`64:ff9b::${asText(value)}`)).toBe(isPublic);
        expect(isPublicAddress(`::ffff:${asText(value)}`)).toBe(false);
        expect(isPublicAddress(`::${asText(value)}`)).toBe(false);
      },
    ),
    { numRuns: 2000 },
  );
});
