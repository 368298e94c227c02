import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { Worker } from "node:worker_threads";

export interface Receiver {
  readonly port: number;
  /** The accepted connections in their order, including closed ones. */
  readonly sockets: readonly Socket[];
  /** Waits until all of them are closed. */
  allClosed(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts a receiver on loopback, with bare sockets: only `serve` handles its connections.
 * @param tls key and certificate of a receiver that uses TLS.
 */
export async function startReceiver(
  serve: (socket: Socket) => void,
  tls?: { key: string; cert: string },
): Promise<Receiver> {
  const sockets: Socket[] = [];
  const accept = (socket: Socket) => {
    sockets.push(socket);
    // If the caller aborts the connection.
    socket.on("error", () => undefined);
    serve(socket);
  };
  const server: Server = tls ? createTlsServer(tls, accept) : createServer(accept);
  server.on("tlsClientError", () => undefined);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The receiver listens on no port");
  return {
    port: address.port,
    sockets,
    async allClosed() {
      await Promise.all(sockets.map(closed));
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function closed(socket: Socket): Promise<void> {
  if (!socket.closed) await new Promise((resolve) => socket.once("close", resolve));
}

/**
 * Calls back for each request of the connection, once it has arrived completely. The request must have a content
 * length.
 */
export function onRequest(socket: Socket, answer: (request: string) => void): void {
  let received = "";
  socket.on("data", (chunk) => {
    received += chunk.toString("latin1");
    const bodyAt = received.indexOf("\r\n\r\n") + 4;
    const length = Number(/^content-length: *(\d+)/im.exec(received)?.[1]);
    if (bodyAt < 4 || received.length < bodyAt + length) return;
    const request = received;
    received = "";
    answer(request);
  });
}

/**
 * Opens a port on loopback whose connections wait and are never accepted. Above a few, they don't even reach the queue.
 */
export async function startDeafReceiver(): Promise<Pick<Receiver, "port" | "close">> {
  const worker = new Worker(
    `const { parentPort } = require("node:worker_threads");
     const server = require("node:net").createServer().listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
       parentPort.postMessage(server.address().port);
       Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
     });`,
    { eval: true },
  );
  const [port]: number[] = await once(worker, "message");
  if (port === undefined) throw new Error("The receiver listens on no port");
  return { port, close: async () => void (await worker.terminate()) };
}
