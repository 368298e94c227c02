import { hostAndPort } from "@/server/platform/addresses";
import { isIP } from "node:net";
import { withinTime } from "@/server/lib/time-limit";
import { isPublicAddress } from "./address";
import { type Lookup, lookupWithin } from "./lookup";

export type Vetting =
  | {
      readonly kind: "allowed";
      readonly url: URL;
      /**
       * The resolved addresses of the host. A connection must use one of these. Empty if the name didn't resolve, or if
       * the operator allows the host, whatever its address.
       */
      readonly addresses: readonly string[];
    }
  | Forbidden;

/** Result of checking a URL before its host is resolved. */
export type VettedForm =
  | {
      readonly kind: "allowed";
      readonly url: URL;
      /** Like `URL.hostname`, but an IPv6 address has no brackets. */
      readonly host: string;
      /**
       * It may be called whatever the address of its host: the operator allows this host and port, or it is our own.
       */
      readonly isExempt: boolean;
    }
  | Forbidden;

interface Forbidden {
  readonly kind: "forbidden";
  readonly reason: string;
  /** Its host isn't public, so no other spelling of the address helps. */
  readonly isPrivate: boolean;
}

export interface VettingOptions {
  /** The operator's exceptions, in the form of `allowedHost`. They also allow plain http. */
  readonly allowedPrivateHosts: ReadonlySet<string>;
  /**
   * Further exceptions: complete plain-http URLs, which don't allow other paths of the same host. An https URL is
   * checked like any other, because calls without an exception share its connections.
   */
  readonly exemptUrls?: ReadonlySet<string>;
  readonly lookup?: Lookup;
}

/** Top-level domains with no public hosts (RFC 6761, 6762, 7686, 8375; ICANN's `internal`). */
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

/** Up to 253 characters, in labels of up to 63, and the root's dot (RFC 1035 section 2.3.4). */
const DNS_NAME = /^(?=.{1,253}\.?$)[^.]{1,63}(\.[^.]{1,63})*\.?$/;

const LOOKUP_TIMEOUT_MS = 1_000;

/**
 * Scheme, then a host that every program parses the same way: no credentials (`@`), no backslash and no white space,
 * which WHATWG parsers drop or convert and others don't.
 */
const PLAIN_URL = /^(https?):\/\/[^/?#@\s]+(?:[/?#]\S*)?$/i;
const DIFFERS_BY_READER = /[\\\p{Cc}]/u;

const NOT_HTTPS = "it must begin with https://";

const lookupSoon = lookupWithin({ timeoutMs: LOOKUP_TIMEOUT_MS, triesMax: 1 });

/**
 * Checks whether a URL that a user entered may be used: https, no credentials, and only public addresses. A name that
 * doesn't resolve within a second is allowed without an address; the later call will find out. Nothing is fetched.
 */
export async function vetUrl(text: string, options: VettingOptions): Promise<Vetting> {
  const { lookup = lookupSoon } = options;
  const form = vetForm(text, options);
  if (form.kind === "forbidden") return form;
  const { url, host } = form;
  if (form.isExempt) return { kind: "allowed", url, addresses: [] };
  if (isIP(host) !== 0) return { kind: "allowed", url, addresses: [host] };
  const addresses = await withinTime(lookup(host), LOOKUP_TIMEOUT_MS).catch(() => []);
  if (!addresses.every(isPublicAddress)) return privateHost("its host has an address that isn't public");
  return { kind: "allowed", url, addresses };
}

/** The part of `vetUrl` that needs no lookup. It doesn't check a host name's addresses. */
export function vetForm(
  text: string,
  { allowedPrivateHosts, exemptUrls }: Omit<VettingOptions, "lookup">,
): VettedForm {
  const url = parse(text);
  if (!url) return forbidden(whyNotPlain(text));
  const host = hostOf(url);
  const isOurs = url.protocol === "http:" && exemptUrls?.has(text) === true;
  if (isOurs || allowedPrivateHosts.has(hostAndPort(url))) {
    return { kind: "allowed", url, host, isExempt: true };
  }
  if (url.protocol !== "https:") {
    return isPrivateHost(host)
      ? privateHost("it isn't https, and its host isn't public")
      : forbidden(NOT_HTTPS);
  }
  if (url.port === "0") return forbidden("nothing listens at port 0");
  if (isIP(host) !== 0) {
    return isPublicAddress(host)
      ? { kind: "allowed", url, host, isExempt: false }
      : privateHost("its address isn't public");
  }
  if (!isPossibleHost(host)) return forbidden("its host is no name that can exist");
  if (isPrivateName(host)) return privateHost("its host is a name of a private network");
  return { kind: "allowed", url, host, isExempt: false };
}

function forbidden(reason: string): Forbidden {
  return { kind: "forbidden", reason, isPrivate: false };
}

function privateHost(reason: string): Forbidden {
  return { kind: "forbidden", reason, isPrivate: true };
}

/** Returns a simple reason why `parse` refuses the text. */
function whyNotPlain(text: string): string {
  if (text === "") return "it is empty";
  if (!/^https?:/i.test(text)) return NOT_HTTPS;
  if (/^https?:\/\/[^/?#\s]*@/i.test(text)) return "it holds a user name or a password";
  return "it isn't a plain absolute address";
}

function parse(text: string): URL | null {
  if (!PLAIN_URL.test(text) || DIFFERS_BY_READER.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  return url.username === "" && url.password === "" ? url : null;
}

/** Returns true for an http or https URL that every program reads the same way, whether its host is public or not. */
export function isPlainUrl(text: string): boolean {
  const url = parse(text);
  return url !== null && isPossibleHost(hostOf(url));
}

/** Like `URL.hostname`, but an IPv6 address has no brackets. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "");
}

function isPossibleHost(host: string): boolean {
  return isIP(host) !== 0 || DNS_NAME.test(host);
}

function isPrivateHost(host: string): boolean {
  return isIP(host) === 0 ? isPrivateName(host) : !isPublicAddress(host);
}

/** @param host a name in the form of a URL: lower case, ASCII. */
function isPrivateName(host: string): boolean {
  const name = host.replace(/\.+$/, "");
  // Only resolvers with a search list resolve a single label, to an address in their own network.
  return !name.includes(".") || PRIVATE_DOMAINS.some((domain) => name.endsWith(`.${domain}`));
}
