import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";

export interface Loopback {
  /** `http://127.0.0.1:…` */
  readonly url: string;
  /** Closes every connection. */
  close(): Promise<void>;
}

/** Starts a server on its own loopback port, for tests. */
export async function serveOnLoopback(listener: RequestListener): Promise<Loopback> {
  const server = createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server listens on no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
