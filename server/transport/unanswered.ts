import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/** Requests of each connection that aren't both answered and fully read, in order of arrival. */
const inFlight = new WeakMap<Duplex, Map<ServerResponse, IncomingMessage>>();

const requestsOn = (socket: Duplex) => [...(inFlight.get(socket) ?? [])];

/** Tracks the requests in progress on each connection of the server. */
export function followRequests(server: Server): void {
  server.prependListener("request", (req, res) => {
    const ofSocket = inFlight.get(req.socket) ?? new Map<ServerResponse, IncomingMessage>();
    inFlight.set(req.socket, ofSocket.set(res, req));
    const forget = () => ofSocket.delete(res);
    res.once("close", () => void (req.complete ? forget() : req.once("close", forget)));
  });
}

/** Resolves when all completely received requests on this connection have been answered. */
export function wholeRequestsAnswered(socket: Duplex): Promise<unknown> {
  const whole = requestsOn(socket).filter(([res, req]) => req.complete && !res.closed);
  return Promise.all(whole.map(([res]) => new Promise((resolve) => res.once("close", resolve))));
}

/** Returns true while the body of a request is arriving. */
export function isInBody(socket: Duplex): boolean {
  return requestsOn(socket).some(([, req]) => !req.complete);
}

/** Adds `Connection: close` to the pending responses: if a connection has several, to the last. */
export function closeAfterAnswers(socket: Duplex): void {
  const last = requestsOn(socket).at(-1)?.[0];
  if (last && !last.headersSent) last.setHeader("Connection", "close");
}
