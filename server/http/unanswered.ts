import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/** Resolves when the requests that came whole on this connection have been answered. */
export type WholeRequestsAnswered = (socket: Duplex) => Promise<unknown>;

/** Keeps an eye on the answers that are under way on each connection. */
export function followAnswers(server: Server): WholeRequestsAnswered {
  const underWay = new WeakMap<Duplex, Map<ServerResponse, IncomingMessage>>();
  server.prependListener("request", (req, res) => {
    const ofSocket = underWay.get(req.socket) ?? new Map<ServerResponse, IncomingMessage>();
    underWay.set(req.socket, ofSocket.set(res, req));
    res.once("close", () => ofSocket.delete(res));
  });
  return (socket) => {
    const whole = [...(underWay.get(socket) ?? [])].filter(([, req]) => req.complete);
    return Promise.all(whole.map(([res]) => new Promise<void>((resolve) => res.once("close", resolve))));
  };
}
