import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/** Of each connection what isn't both answered and read to its end, in the order in which it came. */
const inFlight = new WeakMap<Duplex, Map<ServerResponse, IncomingMessage>>();

const requestsOn = (socket: Duplex) => [...(inFlight.get(socket) ?? [])];

/** Keeps an eye on the requests that are under way on each connection of the server. */
export function followRequests(server: Server): void {
  server.prependListener("request", (req, res) => {
    const ofSocket = inFlight.get(req.socket) ?? new Map<ServerResponse, IncomingMessage>();
    inFlight.set(req.socket, ofSocket.set(res, req));
    const forget = () => ofSocket.delete(res);
    res.once("close", () => void (req.complete ? forget() : req.once("close", forget)));
  });
}

/** Resolves when the requests that came whole on this connection have been answered. */
export function wholeRequestsAnswered(socket: Duplex): Promise<unknown> {
  const whole = requestsOn(socket).filter(([res, req]) => req.complete && !res.closed);
  return Promise.all(whole.map(([res]) => new Promise((resolve) => res.once("close", resolve))));
}

/** Whether the body of a request is still coming in. */
export function isInBody(socket: Duplex): boolean {
  return requestsOn(socket).some(([, req]) => !req.complete);
}

/** Has the answers that are under way end with `Connection: close`: of several on a connection the last. */
export function closeAfterAnswers(socket: Duplex): void {
  const last = requestsOn(socket).at(-1)?.[0];
  if (last && !last.headersSent) last.setHeader("Connection", "close");
}
