import { once } from "node:events";
import { createServer } from "node:http";

/** A webhook that came. */
export interface Arrival {
  /** Its `webhook-id`. */
  readonly id: string;
  /** When what it tells of happened, by the body, Unix milliseconds. */
  readonly happenedAtMs: number;
  readonly arrivedAtMs: number;
}

export interface Arrivals {
  readonly url: string;
  /** Since they were asked for last, in order. */
  readonly arrivals: readonly Arrival[];
}

/** A receiver of webhooks that takes whatever comes. */
export async function startReceiver() {
  let arrivals: Arrival[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const arrivedAtMs = performance.timeOrigin + performance.now();
      response.writeHead(204).end();
      const { timestamp }: { timestamp?: unknown } = JSON.parse(Buffer.concat(chunks).toString("utf8"));
      const id = String(request.headers["webhook-id"]);
      arrivals.push({ id, happenedAtMs: Date.parse(String(timestamp)), arrivedAtMs });
    });
  });
  // Whoever calls decides when a connection ends.
  server.keepAliveTimeout = 0;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The receiver has no port");
  const url = `http://127.0.0.1:${address.port}/webhooks`;
  return {
    async take(): Promise<Arrivals> {
      const taken = arrivals;
      arrivals = [];
      return { url, arrivals: taken };
    },
    async close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
