import { errorCauses, systemCodeOf } from "@/server/lib/error-causes";

const NO_ADDRESS = "the host name has no IP address";
const NOT_CONNECTED = "no connection";
const BROKEN_OFF = "the connection was closed before the response was complete";
const LATE = "no response in time";
const NOT_HTTP = "the response isn't valid HTTP";

/** Words for the codes of the system, of undici and of its parser. */
const WORDS: Readonly<Record<string, string>> = {
  ENOTFOUND: NO_ADDRESS,
  EAI_AGAIN: "the name server doesn't respond",
  ECONNREFUSED: NOT_CONNECTED,
  EHOSTUNREACH: NOT_CONNECTED,
  ENETUNREACH: NOT_CONNECTED,
  EADDRNOTAVAIL: NOT_CONNECTED,
  ETIMEDOUT: LATE,
  ECONNRESET: BROKEN_OFF,
  ECONNABORTED: BROKEN_OFF,
  EPIPE: BROKEN_OFF,
  UND_ERR_SOCKET: BROKEN_OFF,
  UND_ERR_CLOSED: BROKEN_OFF,
  UND_ERR_DESTROYED: BROKEN_OFF,
  UND_ERR_ABORTED: "the call was stopped",
  UND_ERR_CONNECT_TIMEOUT: "no connection in time",
  UND_ERR_HEADERS_TIMEOUT: LATE,
  UND_ERR_BODY_TIMEOUT: LATE,
  UND_ERR_HEADERS_OVERFLOW: NOT_HTTP,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: NOT_HTTP,
  ENOENT: "the file can't be read",
  EIO: "the file can't be read",
  CERT_HAS_EXPIRED: "the TLS certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "the TLS certificate isn't trusted",
  SELF_SIGNED_CERT_IN_CHAIN: "the TLS certificate isn't trusted",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the TLS certificate isn't trusted",
};

/** Words for groups of codes, in the order in which they are checked. */
const FAMILIES: readonly (readonly [RegExp, string])[] = [
  [/^(ERR_SSL|ERR_TLS|EPROTO|CERT_)/, "the TLS connection failed"],
];

/**
 * Describes an error of a call in words, followed by the code in brackets, such as `no connection (ECONNREFUSED)`. Never
 * contains the error's own message, which can contain an address or a token.
 */
export function failureWords(error: unknown): string {
  const code = systemCodeOf(error);
  if (code !== null) {
    const words = WORDS[code] ?? FAMILIES.find(([family]) => family.test(code))?.[1] ?? "the call failed";
    return `${words} (${code})`;
  }
  if (!(error instanceof Error)) return "the call failed";
  const names = errorCauses(error).map(({ name }) => name);
  if (names.includes("TimeoutError")) return LATE;
  if (names.includes("HTTPParserError")) return `${NOT_HTTP} (HTTPParserError)`;
  return `the call failed (${error.name})`;
}
