import { Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import { withinTime } from "../time-limit";
import { isPublicAddress } from "./address";

/** Every address that a name has. Rejects when it has none. */
export type Lookup = (host: string) => Promise<readonly string[]>;

export type Vetting =
  | {
      readonly kind: "allowed";
      readonly url: URL;
      /**
       * What the host resolved to: whoever connects must use one of these. Empty where it didn't resolve, or where the
       * operator allows the host, whatever its address.
       */
      readonly addresses: readonly string[];
    }
  | { readonly kind: "forbidden"; readonly reason: string };

export interface VettingOptions {
  /** Each as `allowedHost` gives it: the operator's exceptions, also for plain http. */
  readonly allowedPrivateHosts: ReadonlySet<string>;
  readonly lookup?: Lookup;
}

/** Last labels under which nothing is public (RFC 6761, 6762, 7686, 8375; ICANN's `internal`). */
const PRIVATE_DOMAINS = [
  "localhost",
  "localdomain",
  "local",
  "internal",
  "intranet",
  "private",
  "corp",
  "home",
  "lan",
  "onion",
  "home.arpa",
] as const;

/** Up to 253 characters, in labels of up to 63 (RFC 1035 section 2.3.4). */
const DNS_NAME = /^(?=.{1,253}\.*$)[^.]{1,63}(\.[^.]{1,63})*\.*$/;

const LOOKUP_TIMEOUT_MS = 1_000;

/**
 * Scheme, then a host that no program reads otherwise than we do: no credentials (`@`), no backslash, no white space,
 * which the WHATWG form drops or turns and others don't.
 */
const PLAIN_URL = /^(https?):\/\/[^/?#@\s]+(?:[/?#]\S*)?$/i;
const DIFFERS_BY_READER = /[\\\p{Cc}]/u;

/**
 * Whether a URL that a user supplied may be used: https, without credentials, and every address of its host public
 * (design section 9). A name that doesn't resolve within a second is allowed, with no address: who fetches it will see.
 * Nothing is fetched.
 */
export async function vetUrl(text: string, options: VettingOptions): Promise<Vetting> {
  const { allowedPrivateHosts, lookup = lookupAll } = options;
  const url = parse(text);
  if (!url) return forbidden("it isn't a plain absolute https address, without credentials");
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (allowedPrivateHosts.has(hostAndPort(url))) return { kind: "allowed", url, addresses: [] };
  if (url.protocol !== "https:") return forbidden("it isn't https");
  if (isIP(host) !== 0) {
    return isPublicAddress(host)
      ? { kind: "allowed", url, addresses: [host] }
      : forbidden("its address isn't public");
  }
  if (!DNS_NAME.test(host)) return forbidden("its host is no name that can exist");
  if (isPrivateName(host)) return forbidden("its host is a name of a private network");
  const addresses = await withinTime(lookup(host), LOOKUP_TIMEOUT_MS).catch(() => []);
  if (!addresses.every(isPublicAddress)) return forbidden("its host has an address that isn't public");
  return { kind: "allowed", url, addresses };
}

/** An operator's `host:port` in the one form that URLs have; null when it isn't one. */
export function allowedHost(text: string): string | null {
  const isHostAndPort = /^[^/?#@\s\\]+:[0-9]+$/.test(text) && URL.canParse(`http://${text}`);
  return isHostAndPort ? hostAndPort(new URL(`http://${text}`)) : null;
}

function hostAndPort(url: URL): string {
  return `${url.hostname}:${url.port || (url.protocol === "https:" ? "443" : "80")}`;
}

function forbidden(reason: string): Vetting {
  return { kind: "forbidden", reason };
}

function parse(text: string): URL | null {
  if (!PLAIN_URL.test(text) || DIFFERS_BY_READER.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  return url.username === "" && url.password === "" ? url : null;
}

/** @param host a name as a URL has it: lower case, ASCII. */
function isPrivateName(host: string): boolean {
  const name = host.replace(/\.+$/, "");
  // Only resolvers with a search list give a single label an address: one of their own network.
  return !name.includes(".") || PRIVATE_DOMAINS.some((domain) => name.endsWith(`.${domain}`));
}

/** Lookups under way by host: many messages share one. */
const underWay = new Map<string, Promise<readonly string[]>>();

function lookupAll(host: string): Promise<readonly string[]> {
  const shared = underWay.get(host);
  if (shared) return shared;
  const fresh = resolveAll(host).finally(() => underWay.delete(host));
  underWay.set(host, fresh);
  return fresh;
}

/** By queries of our own: the system's lookup takes one of the few threads that files need too, for as long as it likes. */
async function resolveAll(host: string): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: LOOKUP_TIMEOUT_MS, tries: 1 });
  const timer = setTimeout(() => resolver.cancel(), LOOKUP_TIMEOUT_MS);
  const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  clearTimeout(timer);
  return found.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
}
