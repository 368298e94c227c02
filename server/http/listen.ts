import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { atMost } from "../process/stop";

/** Listens, and says on which port. @throws the system's error when the port is taken. */
export async function listen(server: Server, port: number, host: string | undefined): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host }, () => {
      server.off("error", reject);
      resolve();
    });
  });
  return portOf(server.address());
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === "string") throw new Error("The server listens on no port");
  return address.port;
}

const REQUESTS_END_MAX_MS = 10_000;
const CLOSE_IDLE_EVERY_MS = 50;

/**
 * Takes no more connections, lets requests under way end, then closes what is left. A connection that is kept alive is
 * closed after the answer it waits for: its client must not go on using it.
 */
export async function closeServer(server: Server): Promise<void> {
  server.prependListener("request", (_req, res) => res.setHeader("Connection", "close"));
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const timer = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS);
  await atMost(REQUESTS_END_MAX_MS, closed);
  clearInterval(timer);
  server.closeAllConnections();
}
