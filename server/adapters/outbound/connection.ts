import type { Socket } from "node:net";
import { Client } from "undici";
import type { Connector } from "./connector";

/** One connection to a host, or its makings: it is opened, or opened again, when a call needs it. */
export interface Connection {
  readonly client: Client;
  /** When it was opened, in `performance.now()`. */
  readonly openedAtMs: number;
  /** Whether it has brought an answer since it was opened: the other side may have closed it meanwhile. */
  readonly hasServed: boolean;
  /** To be called with each answer. */
  served(): void;
  /** Ends it at once, even if it is just being opened. */
  end(): void;
}

/** Unless the other side says that it ends them sooner. */
const IDLE_MS_MAX = 5_000;
const HEADER_BYTES_MAX = 16 * 1024;

/** @param closed called whenever it was closed, from either side. */
export function createConnection(origin: string, connector: Connector, closed: () => void): Connection {
  let socket: Socket | undefined;
  let openedAtMs = 0;
  let hasServed = false;
  const client = new Client(origin, {
    connect: (target, callback) => {
      openedAtMs = performance.now();
      hasServed = false;
      socket = connector(target, callback);
    },
    pipelining: 1,
    keepAliveTimeout: IDLE_MS_MAX,
    keepAliveMaxTimeout: IDLE_MS_MAX,
    maxHeaderSize: HEADER_BYTES_MAX,
    // Whoever calls keeps the time.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  client.on("disconnect", closed);
  return {
    client,
    get openedAtMs() {
      return openedAtMs;
    },
    get hasServed() {
      return hasServed;
    },
    served: () => (hasServed = true),
    end() {
      void client.destroy();
      socket?.destroy(new Error("ended"));
    },
  };
}
