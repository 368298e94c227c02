import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { newId } from "@/db/schema";
import type { Services } from "@/server/core/context";
import { WaypostError } from "@/server/platform/errors";
import { errorResponse } from "./envelope";
import { type AnsweredRequest, countRequest, countWhenAnswered, routeOf } from "./count-request";
import { originForm } from "./target";
import { isInBody, wholeRequestsAnswered } from "./unanswered";

export const HEADER_BYTES_MAX = 16 * 1024;
/** Time for a client that is still sending to read the response. The data it sends in that time is dropped. */
const READ_ANSWER_MAX_MS = 1_000;

const FAULTS: Readonly<Record<string, () => WaypostError>> = {
  ERR_HTTP_REQUEST_TIMEOUT: () => new WaypostError("request_timeout"),
  HPE_HEADER_OVERFLOW: () =>
    invalid(`The request's headers are larger than ${HEADER_BYTES_MAX / 1024} KiB together.`),
};
const STATUS_WORDS: Readonly<Record<number, string>> = {
  400: "Bad Request",
  405: "Method Not Allowed",
  408: "Request Timeout",
};

/** Dependencies of an error response: for its envelope, and to count and log it. */
type Server = Pick<Services, "urls" | "metrics" | "log">;

/**
 * Responds with the envelope, and counts the request if it isn't counted yet. `requestId` is the id in the log, if the
 * error was logged.
 */
export function refuse(res: ServerResponse, error: WaypostError, server: Server, requestId = newId()): void {
  const { method, url = "/" } = res.req;
  const [path = ""] = (originForm(url) ?? "").split("?", 1);
  countWhenAnswered(server.metrics, res, { route: routeOf(path), method });
  const { status, headers, body } = errorResponse(error, server);
  logError(server, { requestId, method, status, errorCode: error.code });
  res.writeHead(status, { ...headers, "Content-Length": Buffer.byteLength(body), "X-Request-Id": requestId });
  res.end(body);
}

/** Logs an error, so that support can find a response by its request id. */
function logError({ log }: Server, facts: Readonly<Record<string, unknown>>): void {
  log.debug(facts, "request refused");
}

/** RFC 9112 section 3.2: a request without `Host`, or with several, is malformed. Returns null for a valid request. */
export function hostFault(req: IncomingMessage): WaypostError | null {
  if (req.httpVersion === "1.0") return null;
  const { host } = req.headers;
  if (host !== undefined && !host.includes(",")) return null;
  return closing("The request must have one `Host` header.");
}

/** Refuses a request whose `Expect` header is not `100-continue`. Node leaves this to the application. */
export function refuseExpectation(res: ServerResponse, server: Server): void {
  refuse(res, closing("The expectation in `Expect` can't be met. Leave the header out."), server);
}

const refused = new WeakSet<Duplex>();

/** The client has closed its side within a head or a body. */
const BROKEN_OFF = "HPE_INVALID_EOF_STATE";

/**
 * Sends the envelope to a client whose data isn't HTTP, if the connection still accepts a response, after the responses
 * to earlier requests. Then closes the connection. It doesn't count two cases: a fault in a request's body, which is
 * counted with its request, and half a head, whose sender has most likely disconnected.
 */
export async function refuseMalformed(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  server: Server,
): Promise<void> {
  // The parser reports data after the fault as further faults.
  if (refused.has(socket)) return;
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  refused.add(socket);
  const fault = FAULTS[error.code ?? ""] ?? (() => invalid("The request isn't valid HTTP."));
  const isCounted = error.code !== BROKEN_OFF && !isInBody(socket);
  await wholeRequestsAnswered(socket);
  endWith(socket, fault(), server, { ...NOT_HTTP, isCounted });
}

/**
 * `CONNECT` asks for a proxy, which no path here is. Responds after the responses to earlier requests, then closes the
 * connection.
 */
export async function refuseTunnel(socket: Duplex, server: Server): Promise<void> {
  // Node no longer listens for its errors.
  socket.on("error", () => socket.destroy());
  await wholeRequestsAnswered(socket);
  const error = new WaypostError("method_not_allowed", { headers: { Allow: "" } });
  endWith(socket, error, server, { route: routeOf(""), method: "CONNECT", isCounted: true });
}

const NOT_HTTP = { route: "malformed", method: "" } as const;

interface Asked extends Pick<AnsweredRequest, "route" | "method"> {
  readonly isCounted: boolean;
}

/**
 * Responds on a connection that node has handed over, and closes it. If it can respond, it counts the request under its
 * method and route.
 */
function endWith(socket: Duplex, error: WaypostError, server: Server, { isCounted, ...asked }: Asked): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const { status, headers, body } = errorResponse(error, server);
  const requestId = newId();
  if (isCounted) countRequest(server.metrics, { ...asked, status, durationMs: 0 });
  logError(server, { requestId, ...asked, status, errorCode: error.code });
  const fields = {
    ...headers,
    Connection: "close",
    "X-Request-Id": requestId,
    "Content-Length": Buffer.byteLength(body),
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${status} ${STATUS_WORDS[status] ?? ""}`, ...lines, "", body].join("\r\n"));
  setTimeout(() => socket.destroy(), READ_ANSWER_MAX_MS).unref();
}

function invalid(message: string, headers: Readonly<Record<string, string>> = {}): WaypostError {
  return new WaypostError("validation_failed", { message, headers });
}

function closing(message: string): WaypostError {
  return invalid(message, { Connection: "close" });
}
