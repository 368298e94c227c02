import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { pipeline } from "node:stream";

/** A proxy to a test database that the test can close. Its clients then see the database as unavailable. */
export interface DatabaseGate {
  /** The database's URL, through the gate. */
  readonly url: string;
  /** Closes every connection, and accepts none until it is opened again. */
  shut(): Promise<void>;
  open(): Promise<void>;
}

/** @param url URL of a test database, with host and port. */
export async function openDatabaseGate(url: string): Promise<DatabaseGate> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  const gate = createServer((client) => {
    sockets.add(client);
    client.once("close", () => sockets.delete(client));
    pipeline(client, connect(Number(target.port), target.hostname), client, () => undefined);
  });
  const listen = async (port: number) => {
    gate.listen(port, "127.0.0.1");
    await once(gate, "listening");
  };
  await listen(0);
  const address = gate.address();
  if (address === null || typeof address === "string") throw new Error("The gate listens on no port");
  const { port } = address;
  const through = new URL(url);
  through.port = String(port);
  return {
    url: through.href,
    async shut() {
      if (!gate.listening) return;
      gate.close();
      for (const socket of sockets) socket.destroy();
      await once(gate, "close");
    },
    open: () => listen(port),
  };
}
