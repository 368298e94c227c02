import { once } from "node:events";
import { createServer } from "node:http";
import { z } from "zod";

/** A received webhook. */
export interface Arrival {
  /** Its `webhook-id`. */
  readonly id: string;
  readonly type: string;
  /** Null for an event about no message. */
  readonly messageId: string | null;
  /** When its event happened, by the body, in Unix milliseconds. */
  readonly happenedAtMs: number;
  readonly arrivedAtMs: number;
}

export interface Arrivals {
  readonly url: string;
  /** Calls to this URL never get a response. */
  readonly stallingUrl: string;
  /** Maximum concurrent calls to that URL. */
  readonly stalledMax: number;
  /** Since the last request for them, in order. */
  readonly arrivals: readonly Arrival[];
}

const STALLING_PATH = "/stalls";

const eventSchema = z.object({
  type: z.string(),
  timestamp: z.string(),
  data: z.object({ message_id: z.string().optional() }),
});

/** A receiver that accepts every webhook. */
export async function startReceiver() {
  let arrivals: Arrival[] = [];
  let stalled = 0;
  let stalledMax = 0;
  const server = createServer((request, response) => {
    if (request.url === STALLING_PATH) {
      stalled += 1;
      stalledMax = Math.max(stalledMax, stalled);
      request.resume();
      response.once("close", () => void (stalled -= 1));
      return;
    }
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const arrivedAtMs = performance.timeOrigin + performance.now();
      response.writeHead(204).end();
      const event = eventSchema.parse(JSON.parse(Buffer.concat(chunks).toString("utf8")));
      arrivals.push({
        id: String(request.headers["webhook-id"]),
        type: event.type,
        messageId: event.data.message_id ?? null,
        happenedAtMs: Date.parse(event.timestamp),
        arrivedAtMs,
      });
    });
  });
  // The caller decides when a connection ends.
  server.keepAliveTimeout = 0;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The receiver has no port");
  const base = `http://127.0.0.1:${address.port}`;
  return {
    async take(): Promise<Arrivals> {
      const taken = arrivals;
      arrivals = [];
      return {
        url: `${base}/webhooks`,
        stallingUrl: `${base}${STALLING_PATH}`,
        arrivals: taken,
        stalledMax,
      };
    },
    async close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
