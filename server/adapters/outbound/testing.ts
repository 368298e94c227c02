import { Resolver } from "node:dns/promises";
import { isIPv4 } from "node:net";
import { vi } from "vitest";

/**
 * From now on, every name has these addresses, until the mocks are restored. @returns a mock that records the lookups.
 */
export function everyNameResolvesTo(...addresses: readonly string[]) {
  const ofFamily = (isFour: boolean) => async () => addresses.filter((address) => isIPv4(address) === isFour);
  vi.spyOn(Resolver.prototype, "resolve6").mockImplementation(asResolve(ofFamily(false)));
  return vi.spyOn(Resolver.prototype, "resolve4").mockImplementation(asResolve(ofFamily(true)));
}

/** Guarantee: it is called without options only, for which node returns texts; the type has every overload. */
function asResolve(resolve: () => Promise<string[]>): Resolver["resolve4"] & Resolver["resolve6"] {
  return resolve as unknown as Resolver["resolve4"] & Resolver["resolve6"];
}

export interface ForbiddenUrl {
  readonly form: string;
  readonly url: string;
  /** Addresses to set for its name (`everyNameResolvesTo`). Without them, no lookup takes place. */
  readonly resolvesTo?: readonly string[];
}

/** Hosts with an address that isn't public, in every spelling. */
const HOSTS: readonly (readonly [form: string, host: string])[] = [
  ["loopback", "127.0.0.1"],
  ["loopback's last", "127.255.255.254"],
  ["decimal", "2130706433"],
  ["hexadecimal", "0x7f000001"],
  ["hexadecimal in capitals", "0X7F000001"],
  ["hexadecimal parts", "0x7f.0x0.0x0.0x1"],
  ["octal", "017700000001"],
  ["octal parts", "0177.0.0.01"],
  ["octal with zeros before it", "0000177.0.0.1"],
  ["octal, hexadecimal and decimal parts", "0177.0x0.0.1"],
  ["two parts", "127.1"],
  ["three parts", "127.0.1"],
  ["a single zero", "0"],
  ["this network", "0.0.0.0"],
  ["this network, another of it", "0.1.2.3"],
  ["private 10", "10.0.0.1"],
  ["private 10, short", "10.1"],
  ["private 172", "172.16.0.1"],
  ["private 172's last", "172.31.255.254"],
  ["private 192", "192.168.1.1"],
  ["private 192, decimal", "3232235777"],
  ["a carrier's", "100.64.0.1"],
  ["Alibaba's metadata", "100.100.100.200"],
  ["metadata", "169.254.169.254"],
  ["metadata, decimal", "2852039166"],
  ["metadata, hexadecimal", "0xa9fea9fe"],
  ["metadata, octal parts", "0251.0376.0251.0376"],
  ["a container's credentials", "169.254.170.2"],
  ["Azure's platform", "168.63.129.16"],
  ["Oracle's metadata", "192.0.0.192"],
  ["documentation 1", "192.0.2.1"],
  ["documentation 2", "198.51.100.1"],
  ["documentation 3", "203.0.113.1"],
  ["6to4 relays", "192.88.99.1"],
  ["benchmarks", "198.18.0.1"],
  ["multicast", "224.0.0.1"],
  ["multicast of a site", "239.255.255.250"],
  ["reserved", "240.0.0.1"],
  ["broadcast", "255.255.255.255"],
  ["a dot at its end", "127.0.0.1."],
  ["a decimal number and a dot", "2130706433."],
  ["two dots at its end", "127.0.0.1.."],
  ["encoded digits", "%31%32%37.0.0.1"],
  ["encoded dots", "127%2e0%2E0%2e1"],
  ["digits of full width", "１２７.0.0.1"],
  ["circled digits", "①②⑦.⓪.⓪.①"],
  ["mathematical digits", "𝟏𝟐𝟕.𝟎.𝟎.𝟏"],
  ["ideographic full stops", "127。0。0。1"],
  ["halfwidth full stops", "127｡0｡0｡1"],
  ["IPv6 loopback", "[::1]"],
  ["IPv6 loopback in full", "[0000:0000:0000:0000:0000:0000:0000:0001]"],
  ["IPv6 unspecified", "[::]"],
  ["IPv4-mapped", "[::ffff:127.0.0.1]"],
  ["IPv4-mapped, hexadecimal", "[::ffff:7f00:1]"],
  ["IPv4-mapped in full", "[0:0:0:0:0:FFFF:127.0.0.1]"],
  ["IPv4-mapped metadata", "[::ffff:a9fe:a9fe]"],
  ["IPv4-mapped of a public one", "[::ffff:8.8.8.8]"],
  ["IPv4-compatible", "[::127.0.0.1]"],
  ["IPv4-compatible, hexadecimal", "[::7f00:1]"],
  ["IPv4-translated", "[::ffff:0:127.0.0.1]"],
  ["NAT64", "[64:ff9b::7f00:1]"],
  ["NAT64, dotted", "[64:ff9b::169.254.169.254]"],
  ["a network's own NAT64", "[64:ff9b:1::808:808]"],
  ["6to4", "[2002:7f00:1::1]"],
  ["6to4 of private 192", "[2002:c0a8:101::]"],
  ["Teredo", "[2001:0:4136:e378:8000:63bf:80ff:fffe]"],
  ["unique local", "[fc00::1]"],
  ["unique local, chosen at random", "[fd12:3456:789a:1::1]"],
  ["Amazon's metadata", "[fd00:ec2::254]"],
  ["link-local", "[fe80::1]"],
  ["link-local, its last", "[febf:ffff::1]"],
  ["a zone", "[fe80::1%25eth0]"],
  ["a zone, not encoded", "[fe80::1%eth0]"],
  ["a zone of loopback", "[::1%251]"],
  ["site-local", "[fec0::1]"],
  ["IPv6 multicast", "[ff02::1]"],
  ["IPv6 documentation", "[2001:db8::1]"],
  ["newer IPv6 documentation", "[3fff::1]"],
  ["IPv6 discard", "[100::1]"],
  ["IPv6 that isn't assigned", "[5f00::1]"],
  ["localhost", "localhost"],
  ["localhost in capitals", "LOCALHOST"],
  ["localhost and a dot", "localhost."],
  ["localhost, encoded", "loc%61lhost"],
  ["localhost in circled letters", "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ"],
  ["localhost in full width", "ｌｏｃａｌｈｏｓｔ"],
  ["localhost with a hyphen that isn't seen", "local\u00adhost"],
  ["below localhost", "hooks.localhost"],
  ["localhost's domain", "localhost.localdomain"],
  ["a name without a domain", "postgres"],
  ["Google's metadata", "metadata.google.internal"],
  ["a name of the local network", "printer.local"],
  ["a cluster's name", "kubernetes.default.svc.cluster.local"],
  ["a home's name", "box.home.arpa"],
  ["a company's name", "db.corp"],
];

/** Ambiguous URLs, and URLs without https. {} stands for a host and its port. */
const SHAPES: readonly (readonly [form: string, shape: string])[] = [
  ["plain http", "http://{}/"],
  ["plain http to a public address", "http://8.8.8.8/"],
  ["ftp", "ftp://{}/"],
  ["a web socket", "wss://{}/"],
  ["gopher", "gopher://{}/_POST"],
  ["a file", "file:///etc/passwd"],
  ["data", "data:text/plain,x"],
  ["no scheme", "//{}/"],
  ["a user", "https://user@8.8.8.8/"],
  ["a user and a password", "https://user:pass@8.8.8.8/"],
  ["a public host as user", "https://example.com@{}/"],
  ["a public host and port as user and password", "https://example.com:443@{}/"],
  ["an empty user", "https://@{}/"],
  ["an encoded at sign", "https://example.com%40{}/"],
  ["a backslash before an at sign", "https://{}\\@example.com/"],
  ["a backslash after a public host", "https://example.com\\@{}/"],
  ["backslashes for slashes", "https:\\\\{}\\hook"],
  ["one slash", "https:/{}/"],
  ["no slash", "https:{}/"],
  ["three slashes", "https:///{}/"],
  ["a fragment before an at sign", "https://{}#@example.com/"],
  ["a query before an at sign", "https://{}?@example.com/"],
  ["a space before it", " https://{}/"],
  ["a space after it", "https://{}/ "],
  ["a space in the host", "https://example.com {}/"],
  ["a tab in the scheme", "ht\ttps://{}/"],
  ["a line break in the host", "https://{}\n.example.com/"],
  ["line breaks that could end a header", "https://8.8.8.8/\r\nHost: {}"],
  ["a NUL", "https://{}\0.example.com/"],
  ["no port at all", "https://8.8.8.8:0/"],
  ["a port beyond the last", "https://8.8.8.8:65536/"],
  ["a port with a sign", "https://8.8.8.8:+443/"],
  ["two ports", "https://8.8.8.8:443:80/"],
];

/** Addresses that a name can have, mixed with public ones. */
const ANSWERS: readonly (readonly [form: string, ...addresses: readonly string[]])[] = [
  ["loopback", "127.0.0.1"],
  ["IPv6 loopback", "::1"],
  ["a private address", "10.0.0.1"],
  ["metadata", "169.254.169.254"],
  ["an IPv4-mapped address", "::ffff:127.0.0.1"],
  ["an IPv4-mapped public address", "::ffff:8.8.8.8"],
  ["NAT64 of loopback", "64:ff9b::7f00:1"],
  ["6to4 of loopback", "2002:7f00:1::1"],
  ["a unique local address", "fd00:ec2::254"],
  ["a link-local address", "fe80::1"],
  ["this network", "0.0.0.0"],
  ["a public and a private address", "8.8.8.8", "192.168.1.1"],
  ["a private and a public address", "10.0.0.1", "8.8.8.8"],
  ["a public IPv4 and a private IPv6 address", "8.8.8.8", "fd00::1"],
  ["a public IPv6 and a private IPv4 address", "2606:4700::1111", "127.0.0.1"],
];

/**
 * URLs that no user may have called, each form once: `media_url_forbidden`, `webhook_url_forbidden`, and `forbidden` if
 * one is posted to in spite of that.
 * @param port of the server that must not be reached, for the URLs that lead there. Defaults to the scheme's port.
 */
export function forbiddenUrls(port?: number): readonly ForbiddenUrl[] {
  const withPort = (host: string) => (port === undefined ? host : `${host}:${port}`);
  return [
    ...HOSTS.map(([form, host]) => ({ form, url: `https://${withPort(host)}/hook` })),
    ...SHAPES.map(([form, shape]) => ({ form, url: shape.replace("{}", withPort("127.0.0.1")) })),
    ...ANSWERS.map(([form, ...resolvesTo]) => ({
      form: `a name that has ${form}`,
      url: `https://${withPort("hooks.example")}/hook`,
      resolvesTo,
    })),
  ];
}

export const FORBIDDEN_URLS = forbiddenUrls();
