import type { Socket } from "node:net";
import { Client } from "undici";
import type { Connector } from "./connector";

/** One connection to a host. It is opened, or reopened, when a call needs it. */
export interface Connection {
  readonly client: Client;
  /** When it was opened, by `performance.now()`. */
  readonly openedAtMs: number;
  /** True if it has returned a response since it was opened. The other side may then have closed it. */
  readonly hasServed: boolean;
  /** Must be called for each response. */
  served(): void;
  /** Closes the connection immediately, even while it is being opened. */
  end(): void;
}

/** Maximum idle time, unless the other side announces a shorter one. */
const IDLE_MS_MAX = 5_000;
const HEADER_BYTES_MAX = 16 * 1024;

/** @param closed called whenever the connection was closed, by either side. */
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
    // The caller sets the time limit.
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
