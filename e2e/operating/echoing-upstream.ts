import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

/** A Cloud API that repeats everything it received in its errors, including the token. */
export interface EchoingUpstream {
  readonly url: string;
  /** Number of calls so far that send a message. */
  readonly sends: () => number;
  close(): Promise<void>;
}

/** The responses to successive calls. */
const ANSWERS: readonly ((res: ServerResponse, echo: string) => void)[] = [
  // A definite refusal, in words that repeat the request.
  (res, echo) =>
    json(res, 400, { error: { message: echo, type: echo, code: 100, error_data: { details: echo } } }),
  (res, echo) => json(res, 500, echo),
  (res, echo) => json(res, 200, { nothing: echo }),
  (res) => void res.destroy(),
  (res, echo) => {
    res.writeHead(200, { "Content-Type": "application/json", "Content-Length": 10 + echo.length });
    res.write(`{"half": "${echo}`);
    setImmediate(() => res.destroy());
  },
];

export async function startEchoingUpstream(): Promise<EchoingUpstream> {
  let sends = 0;
  const server = createServer((req, res) => {
    void answer(req, res).catch(() => res.destroy());
  });
  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(Buffer.from(chunk));
    const echo = `${req.url} ${req.headers.authorization} ${Buffer.concat(chunks).toString("utf8")}`;
    if (req.url?.endsWith("/messages") === true) sends += 1;
    ANSWERS[sends % ANSWERS.length]?.(res, echo);
  }
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The upstream listens on no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    sends: () => sends,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function json(res: ServerResponse, status: number, body: unknown): void {
  res.writeHead(status, { "Content-Type": "application/json" });
  res.end(JSON.stringify(body));
}
