import { errors } from "undici";
import { systemCodeOf } from "@/server/lib/error-causes";

/**
 * Why a call got no answer. `dns`: the name has no address. `connection`: nobody accepted. `reset`: the connection
 * ended before an answer. `tls`: name, trust or handshake. `timeout`: the time was up. `forbidden`: the URL, or an
 * address of its host, isn't public. `invalid_answer`: what came isn't HTTP/1.1.
 */
export type OutboundFailure =
  "dns" | "connection" | "reset" | "tls" | "timeout" | "forbidden" | "invalid_answer";

/** A failure that is known where it arises. */
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
/** Of undici, and what it asserts, all about what the other side sent. */
const INVALID_ANSWER_CODES: ReadonlySet<string> = new Set([
  "UND_ERR_HEADERS_OVERFLOW",
  "UND_ERR_RES_CONTENT_LENGTH_MISMATCH",
  "ERR_ASSERTION",
]);
/** So undici calls an answer that it doesn't take: one without a request, a 100, a change of protocol. */
const INVALID_ANSWER_MESSAGE = /^bad (response|upgrade)$/;

/** What broke while a connection was made. @param isAccepted the other side had accepted it: then TLS remains. */
export function failureAtConnect(error: Error, isAccepted: boolean): OutboundFailure {
  if (error instanceof OutboundError) return error.failure;
  if (RESET_CODES.has(systemCodeOf(error) ?? "")) return "reset";
  return isAccepted ? "tls" : "connection";
}

/** What broke a call, on its connection or before it had one. */
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
