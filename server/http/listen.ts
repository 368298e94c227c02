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

/** Takes no more connections, lets requests under way end, then closes what is left. */
export async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  await atMost(REQUESTS_END_MAX_MS, closed);
  server.closeAllConnections();
}
