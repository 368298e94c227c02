import type { IncomingMessage } from "node:http";
import { describe, expect, test } from "vitest";
import { createAddressFinder, createSchemeFinder } from "./client-address";
import { proxyRange } from "@/server/platform/addresses";

/** Guarantee: the finder reads nothing else of a request. */
function request(remoteAddress: string, forwarded?: string | string[]): IncomingMessage {
  return {
    socket: { remoteAddress },
    headers: { "x-forwarded-for": forwarded },
  } as unknown as IncomingMessage;
}

describe("where a request came from", () => {
  const addressOf = createAddressFinder(["10.0.0.0/8", "2001:db8:1::/48"]);
  test.each<[string, string, string | string[] | undefined, string | null]>([
    ["its own address", "203.0.113.7", undefined, "203.0.113.7"],
    ["an IPv4 address in IPv6 form", "::ffff:203.0.113.7", undefined, "203.0.113.7"],
    ["its own address, whatever it claims", "203.0.113.7", "192.0.2.1", "203.0.113.7"],
    ["what a proxy on this machine heard", "127.0.0.1", "192.0.2.1", "192.0.2.1"],
    ["the same over IPv6", "::1", "2001:db8::9", "2001:db8::9"],
    ["what a trusted proxy heard", "10.1.2.3", "192.0.2.1", "192.0.2.1"],
    ["what the first of two proxies heard", "10.1.2.3", "192.0.2.1, 10.9.9.9", "192.0.2.1"],
    ["not what the client claims before it", "10.1.2.3", "1.1.1.1, 192.0.2.1, 10.9.9.9", "192.0.2.1"],
    ["with a port", "10.1.2.3", "192.0.2.1:5511", "192.0.2.1"],
    ["in brackets", "10.1.2.3", "[2001:db8::9]:5511", "2001:db8::9"],
    ["through a trusted IPv6 proxy", "2001:db8:1::5", "192.0.2.1", "192.0.2.1"],
    ["the proxy, where it says what is none", "10.1.2.3", "unknown", "10.1.2.3"],
    ["in several headers", "10.1.2.3", ["1.1.1.1", "192.0.2.1"], "192.0.2.1"],
    ["unknown", "", undefined, null],
  ])("is %s", (_, remote, forwarded, expected) => {
    expect(addressOf(request(remote, forwarded))).toBe(expected);
  });
});

test.each([
  ["10.0.0.0/8", true],
  ["192.0.2.1", true],
  ["2001:db8::/32", true],
  ["10.0.0.0/33", false],
  ["10.0.0", false],
  ["proxy.example", false],
  ["10.0.0.0/x", false],
  ["10.0.0.0/", false],
  ["10.0.0.0/8/9", false],
  ["10.0.0.0/0x8", false],
  ["10.0.0.0/ 8", false],
  ["10.0.0.0/8 ", false],
  ["/8", false],
  ["", false],
])("%s as a range of proxies: %s", (text, isRange) => {
  expect(proxyRange(text)).toBe(isRange ? text : null);
});

test.each<[string, string, string | undefined, "http" | "https"]>([
  ["what a proxy on this machine says", "127.0.0.1", "https", "https"],
  ["what a trusted proxy says, in any case", "10.1.2.3", "HTTPS", "https"],
  ["what the first of two proxies heard", "::ffff:10.1.2.3", "https, http", "https"],
  ["http, where the proxy says so", "10.1.2.3", "http", "http"],
  ["http, where no proxy says otherwise", "10.1.2.3", undefined, "http"],
  ["http, whatever a stranger claims", "203.0.113.7", "https", "http"],
  ["http, where nobody knows who asks", "", "https", "http"],
])("the scheme of a request is %s", (_, remoteAddress, said, expected) => {
  const schemeOf = createSchemeFinder(["10.0.0.0/8"]);
  // Guarantee: the finder reads nothing else of a request.
  const req = {
    socket: { remoteAddress },
    headers: { "x-forwarded-proto": said },
  } as unknown as IncomingMessage;
  expect(schemeOf(req)).toBe(expected);
});
