import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { ConfigError } from "../config";
import { atMost } from "../process/stop";

/** Listens, and says on which port. @throws ConfigError naming the variable at fault. */
export async function listen(server: Server, port: number, host: string | undefined): Promise<number> {
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
