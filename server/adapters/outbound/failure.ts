import { errors } from "undici";
import { systemCodeOf } from "@/server/lib/error-causes";

/**
 * Reason why a call got no response. `dns`: the name has no address. `connection`: the connection was not accepted.
 * `reset`: the connection ended before a response. `tls`: name, trust or handshake. `timeout`: the time was up.
 * `forbidden`: the URL, or an address of its host, isn't public. `invalid_answer`: the response isn't HTTP/1.1.
 */
export type OutboundFailure =
  | "dns"
  | "connection"
  | "reset"
  | "tls"
  | "timeout"
  | "forbidden"
  | "invalid_answer";

/** An error whose reason is already known. */
export class OutboundError extends Error {
  override readonly name = "OutboundError";

  constructor(
    readonly failure: OutboundFailure,
    cause?: unknown,
  ) {
    super(failure, { cause });
  }
}

const RESET_CODES: ReadonlySet<string> = new Set(["ECONNRESET", "ECONNABORTED", "EPIPE"]);
const TLS_CODE = /^(ERR_SSL|ERR_TLS|EPROTO)/;
/** Error codes of undici and its assertions, all about data from the other side. */
const INVALID_ANSWER_CODES: ReadonlySet<string> = new Set([
  "UND_ERR_HEADERS_OVERFLOW",
  "UND_ERR_RES_CONTENT_LENGTH_MISMATCH",
  "ERR_ASSERTION",
]);
/** undici's message for a response that it doesn't accept: one without a request, a 100, a change of protocol. */
const INVALID_ANSWER_MESSAGE = /^bad (response|upgrade)$/;

/**
 * Classifies an error while connecting. @param isAccepted the other side had accepted the connection, so TLS failed.
 */
export function failureAtConnect(error: Error, isAccepted: boolean): OutboundFailure {
  if (error instanceof OutboundError) return error.failure;
  if (RESET_CODES.has(systemCodeOf(error) ?? "")) return "reset";
  return isAccepted ? "tls" : "connection";
}

/** Classifies an error of a call, on its connection or before it had one. */
export function failureOfCall(error: Error): OutboundFailure {
  if (error instanceof OutboundError) return error.failure;
  const code = systemCodeOf(error) ?? "";
  if (TLS_CODE.test(code)) return "tls";
  return isInvalidAnswer(error, code) ? "invalid_answer" : "reset";
}

function isInvalidAnswer(error: Error, code: string): boolean {
  if (error instanceof errors.HTTPParserError || INVALID_ANSWER_CODES.has(code)) return true;
  return error instanceof errors.SocketError && INVALID_ANSWER_MESSAGE.test(error.message);
}
