import type { RequestListener, Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { ConfigError } from "@/server/platform/config";
import { waitAtMost } from "@/server/lib/graceful-stop";
import { closeAfterAnswers, followRequests } from "@/server/transport/unanswered";

/** Listens, and returns the port. @throws ConfigError naming the variable at fault. */
export async function listen(server: Server, port: number, host: string | undefined): Promise<number> {
  rememberConnections(server);
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(listenFailure(error, port, host)));
    server.listen({ port, host }, () => {
      server.removeAllListeners("error");
      resolve();
    });
  });
  return portOf(server.address());
}

function listenFailure(error: Error, port: number, host: string | undefined): ConfigError {
  const code = "code" in error ? String(error.code) : error.message;
  if (code === "EADDRINUSE") return new ConfigError([`PORT: ${port} is in use. Set it to a free one.`]);
  if (code === "EACCES")
    return new ConfigError([`PORT: this user may not listen on ${port}. Set it to one above 1023.`]);
  return new ConfigError([
    `HOST: ${host ?? "every address"} can't be listened on (${code}). Set it to an address of this machine, or leave it out.`,
  ]);
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === "string") throw new Error("The server listens on no port");
  return address.port;
}

const REQUESTS_END_MAX_MS = 10_000;
const CLOSE_IDLE_EVERY_MS = 50;
/** A client usually sends a request right after connecting, but browsers and proxies also connect in advance. */
const FIRST_REQUEST_MAX_MS = 1_000;

/** Current connections of the servers that `listen` has opened. */
const connectionsOf = new WeakMap<Server, Set<Socket>>();

function rememberConnections(server: Server): void {
  const connections = new Set<Socket>();
  connectionsOf.set(server, connections);
  followRequests(server);
  server.on("connection", (socket) => {
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
  });
}

export interface CloseOptions {
  /** Time that requests are still accepted, also on new connections. */
  readonly graceMs?: number;
}

/**
 * Accepts requests during the grace period, then refuses new connections, lets requests in progress end, and closes the
 * rest within 15 s after the grace period. Every response from now on has `Connection: close`, also for requests in
 * progress. A client or proxy that keeps sending therefore leaves its connections one by one, each after a response,
 * and doesn't send into a connection that is being closed.
 */
export async function closeServer(server: Server, { graceMs = 0 }: CloseOptions = {}): Promise<void> {
  server.prependListener("request", (_req, res) => res.setHeader("Connection", "close"));
  for (const socket of connectionsOf.get(server) ?? []) closeAfterAnswers(socket);
  if (graceMs > 0) await delay(graceMs);
  const release = holdRequests(server);
  await calmMoment(server, NEW_CONNECTIONS_END_MS);
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  release();
  const closeIdle = () => void calmMoment(server).then(() => server.closeIdleConnections());
  const closingIdle = setInterval(closeIdle, CLOSE_IDLE_EVERY_MS);
  const closingUnused = setTimeout(() => closeUnused(server), FIRST_REQUEST_MAX_MS);
  await waitAtMost(REQUESTS_END_MAX_MS, closed);
  clearInterval(closingIdle);
  clearTimeout(closingUnused);
  server.closeAllConnections();
}

/** Holds requests back. They are handled once the returned function was called. */
function holdRequests(server: Server): () => void {
  const answerers = requestListeners(server);
  const held: Parameters<RequestListener>[] = [];
  server.removeAllListeners("request");
  server.on("request", (...request) => void held.push(request));
  return () => {
    server.removeAllListeners("request");
    for (const answerer of answerers) server.on("request", answerer);
    for (const request of held) server.emit("request", ...request);
  };
}

/** Guarantee: a server's request listeners are called with a request and a response, and nothing else. */
function requestListeners(server: Server): readonly RequestListener[] {
  return server.listeners("request") as RequestListener[];
}

/**
 * Time without a new connection before the server refuses them. Each client whose request is held connects no more, so
 * clients that wait for their responses become quiet. The time shrinks while others go on connecting.
 */
const NEW_CONNECTIONS_END_MS = 25;
const QUIET_SHRINK = 0.05;
/** Maximum duration of an event-loop turn that counts as idle. */
const CALM_TURN_MAX_MS = 0.3;
/** If a machine has no such turns, the limit grows by this much for each millisecond of waiting. */
const CALM_TURN_GROWTH = 0.01;
const CALM_WAIT_MAX_MS = 5_000;

/**
 * Resolves when the system's queues hold nothing that closing would reset: connections, of which a turn of the event
 * loop accepts one, and requests on them. A turn doesn't see what arrived after it began, so the turn must also be
 * short, and no connection must have come for the given time. Waits for five seconds at most.
 */
async function calmMoment(server: Server, quietMs = 0): Promise<void> {
  const startedAtMs = performance.now();
  let lastConnectedAtMs = startedAtMs;
  let hasTaken = true;
  const take = () => {
    hasTaken = true;
    lastConnectedAtMs = performance.now();
  };
  server.on("connection", take);
  for (let beganAtMs = 0, isCalm = false; !isCalm;) {
    await new Promise((resolve) => setImmediate(resolve));
    const nowMs = performance.now();
    const waitedMs = nowMs - startedAtMs;
    const turnMaxMs = CALM_TURN_MAX_MS + waitedMs * CALM_TURN_GROWTH;
    const isQuiet = !hasTaken && nowMs - lastConnectedAtMs >= quietMs - waitedMs * QUIET_SHRINK;
    isCalm = (isQuiet && nowMs - beganAtMs < turnMaxMs) || waitedMs > CALM_WAIT_MAX_MS;
    beganAtMs = nowMs;
    hasTaken = false;
  }
  server.off("connection", take);
}

/** Node counts a connection without a first request as being in use. */
function closeUnused(server: Server): void {
  for (const socket of connectionsOf.get(server) ?? []) if (socket.bytesRead === 0) socket.destroy();
}
