/** A host that a rule names: on every port if `port` is null. */
export interface HostRule {
  readonly hostname: string;
  readonly port: number | null;
}

const defaultPorts: Readonly<Record<string, number>> = { "http:": 80, "https:": 443 };

/** Returns the host name in lower case, an IPv6 address in brackets. Null if the host is invalid. */
export function hostNameOf(host: string): string | null {
  const inBrackets = isBareIpv6(host) ? `[${host}]` : host;
  const url = `http://${inBrackets}`;
  if (inBrackets === "" || /[/?#@\\]/.test(inBrackets) || !URL.canParse(url)) return null;
  return new URL(url).hostname;
}

/** Reads a host, with or without a port: `files.example.com`, `127.0.0.1:4000`, `[::1]:4000`. Null if it is neither. */
export function readHostRule(text: string): HostRule | null {
  const port = isBareIpv6(text) ? undefined : /:(\d{1,5})$/.exec(text)?.[1];
  const hostname = port === undefined ? text : text.slice(0, -port.length - 1);
  const isName = isBareIpv6(hostname) || /^(?:\[[\da-f:.]+\]|[^:*\s]+)$/i.test(hostname);
  const name = isName ? hostNameOf(hostname) : null;
  if (name === null || Number(port ?? 1) < 1 || Number(port ?? 1) > 65_535) return null;
  return { hostname: name, port: port === undefined ? null : Number(port) };
}

/** Returns true if the URL is at the rule's host, and at its port if it has one. */
export function isAtHost({ protocol, hostname, port }: URL, rule: HostRule): boolean {
  const portOfUrl = port === "" ? defaultPorts[protocol] : Number(port);
  return hostname === rule.hostname && (rule.port === null || rule.port === portOfUrl);
}

function isBareIpv6(host: string): boolean {
  return /^[\da-f]*:[\da-f:.]*$/i.test(host) && host.split(":").length > 2;
}
