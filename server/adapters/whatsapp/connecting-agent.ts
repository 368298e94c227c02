import { Agent, buildConnector, errors } from "undici";

/** What broke while a connection was made: nothing of a request can have gone out through it. */
const whileConnecting = new WeakSet<Error>();

/**
 * An agent that remembers which errors came before a connection stood, whatever their kind: a name that doesn't
 * resolve, a refusal, a certificate that isn't trusted, a handshake that fails or takes too long.
 */
export function createConnectingAgent(options: {
  connectionsMax: number;
  /** From looking up the name to the end of the TLS handshake. */
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
 * Whether a call through such an agent broke before a byte of it can have been on its way. What undici refuses to send,
 * such as a header that isn't one, is not even tried.
 */
export function isCertainlyNotSent(error: unknown): boolean {
  if (error instanceof errors.InvalidArgumentError) return true;
  return error instanceof Error && whileConnecting.has(error);
}
