import { once } from "node:events";
import { createServer } from "node:http";

/** A webhook, however often it came. */
export interface ToldWebhook {
  readonly id: string;
  /** More than one is a broken promise. */
  readonly bodies: ReadonlySet<string>;
  readonly times: number;
}

/** A healthy receiver: it takes whatever comes, and notes it before it says so. */
export interface CrashReceiver {
  readonly host: string;
  readonly url: string;
  readonly told: () => readonly ToldWebhook[];
  close(): Promise<void>;
}

export async function startReceiver(): Promise<CrashReceiver> {
  const byId = new Map<string, { id: string; bodies: Set<string>; times: number }>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const id = String(request.headers["webhook-id"]);
      const known = byId.get(id) ?? { id, bodies: new Set<string>(), times: 0 };
      known.bodies.add(Buffer.concat(chunks).toString("utf8"));
      known.times += 1;
      byId.set(id, known);
      response.writeHead(204).end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The receiver has no port");
  const host = `127.0.0.1:${address.port}`;
  return {
    host,
    url: `http://${host}/webhooks`,
    told: () => [...byId.values()],
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
