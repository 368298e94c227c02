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
       * What the host resolved to: whoever connects must use one of these. Empty where it didn't resolve, or where the
       * operator allows the host, whatever its address.
       */
      readonly addresses: readonly string[];
    }
  | Forbidden;

/** What a URL says by itself, before its host is looked up. */
export type VettedForm =
  | {
      readonly kind: "allowed";
      readonly url: URL;
      /** As `URL.hostname`, an IPv6 address without its brackets. */
      readonly host: string;
      /** It may be called whatever the address of its host: the operator allows this host and port, or it is our own. */
      readonly isExempt: boolean;
    }
  | Forbidden;

interface Forbidden {
  readonly kind: "forbidden";
  readonly reason: string;
  /** Its host isn't public: no other way to write the address helps. */
  readonly isPrivate: boolean;
}

export interface VettingOptions {
  /** Each as `allowedHost` gives it: the operator's exceptions, also for plain http. */
  readonly allowedPrivateHosts: ReadonlySet<string>;
  /**
   * Further exceptions, each a whole address as it is written, of plain http: no other path of the same host. One of https
   * is vetted like any other, since calls that are no exception share its connections.
   */
  readonly exemptUrls?: ReadonlySet<string>;
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

/** Up to 253 characters, in labels of up to 63, and the root's dot (RFC 1035 section 2.3.4). */
const DNS_NAME = /^(?=.{1,253}\.?$)[^.]{1,63}(\.[^.]{1,63})*\.?$/;

const LOOKUP_TIMEOUT_MS = 1_000;

/**
 * Scheme, then a host that no program reads otherwise than we do: no credentials (`@`), no backslash, no white space,
 * which the WHATWG form drops or turns and others don't.
 */
const PLAIN_URL = /^(https?):\/\/[^/?#@\s]+(?:[/?#]\S*)?$/i;
const DIFFERS_BY_READER = /[\\\p{Cc}]/u;

const NOT_HTTPS = "it must begin with https://";

const lookupSoon = lookupWithin({ timeoutMs: LOOKUP_TIMEOUT_MS, triesMax: 1 });

/**
 * Whether a URL that a user supplied may be used: https, without credentials, and every address of its host public.
 * A name that doesn't resolve within a second is allowed, with no address: who fetches it will see. Nothing is fetched.
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

/** All of `vetUrl` that needs no look-up. A host that is a name isn't vetted by that: its addresses remain to be. */
export function vetForm(
  text: string,
  { allowedPrivateHosts, exemptUrls }: Omit<VettingOptions, "lookup">,
): VettedForm {
  const url = parse(text);
  if (!url) return forbidden(whyNotPlain(text));
  const host = url.hostname.replace(/^\[|\]$/g, "");
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
  if (!DNS_NAME.test(host)) return forbidden("its host is no name that can exist");
  if (isPrivateName(host)) return privateHost("its host is a name of a private network");
  return { kind: "allowed", url, host, isExempt: false };
}

function forbidden(reason: string): Forbidden {
  return { kind: "forbidden", reason, isPrivate: false };
}

function privateHost(reason: string): Forbidden {
  return { kind: "forbidden", reason, isPrivate: true };
}

/** What can be told simply of a text that `parse` doesn't take. */
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

function isPrivateHost(host: string): boolean {
  return isIP(host) === 0 ? isPrivateName(host) : !isPublicAddress(host);
}

/** @param host a name as a URL has it: lower case, ASCII. */
function isPrivateName(host: string): boolean {
  const name = host.replace(/\.+$/, "");
  // Only resolvers with a search list give a single label an address: one of their own network.
  return !name.includes(".") || PRIVATE_DOMAINS.some((domain) => name.endsWith(`.${domain}`));
}
