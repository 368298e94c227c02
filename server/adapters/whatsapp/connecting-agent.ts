import { Agent, buildConnector, errors } from "undici";

/** Errors that occurred while connecting: no part of a request can have been sent. */
const whileConnecting = new WeakSet<Error>();

/**
 * An agent that remembers which errors occurred before a connection was established, of any kind: a name that doesn't
 * resolve, a refusal, an untrusted certificate, a handshake that fails or takes too long.
 */
export function createConnectingAgent(options: {
  connectionsMax: number;
  /** Time limit from the name lookup to the end of the TLS handshake. */
  connectTimeoutMs: number;
}): Agent {
  const connector = buildConnector({ timeout: options.connectTimeoutMs });
  return new Agent({
    connections: options.connectionsMax,
    pipelining: 1,
    connect: (target, callback) =>
      connector(target, (...result) => {
        if (result[0]) whileConnecting.add(result[0]);
        callback(...result);
      }),
  });
}

/**
 * Returns true if a call through such an agent failed before any byte of it can have been sent. Requests that undici
 * refuses, such as one with an invalid header, are not sent either.
 */
export function isCertainlyNotSent(error: unknown): boolean {
  if (error instanceof errors.InvalidArgumentError) return true;
  return error instanceof Error && whileConnecting.has(error);
}
