import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { listen } from "@/server/edge/http/listen";

const CALL_TIMEOUT_MS = 60_000;

/** A call through the proxy. */
export interface PassingCall {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

/** A proxy on a loopback port, through which one side reaches the other only while a test allows it. */
export interface Proxy {
  readonly url: string;
  /** While true, connections are cut without a response. */
  setAway(isAway: boolean): void;
  close(): Promise<void>;
}

export interface ProxyOptions {
  /** The targets of calls, in turn. While there are none, calls are cut. */
  readonly targets: () => readonly string[];
  /** Responds in place of a target, if it returns something. */
  readonly answerFor?: (call: PassingCall) => object | null;
  /** Called for each forwarded call; the returned function is called at its end. */
  readonly passing?: (call: PassingCall) => () => void;
}

export async function startProxy({ targets, answerFor, passing }: ProxyOptions): Promise<Proxy> {
  let isAway = false;
  let turn = 0;

  async function pass(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const target = targets()[turn++ % Math.max(targets().length, 1)];
    if (isAway || target === undefined) return void res.destroy();
    const { method = "GET", url: path = "/", headers } = req;
    const call = { method, path, headers, body: await buffer(req) };
    const answer = answerFor?.(call);
    if (answer)
      return void res.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(answer));
    const ended = passing?.(call);
    try {
      const answered = await forward(target, req, call.body);
      if (isAway) return void res.destroy();
      const length = { "content-length": answered.body.byteLength };
      res.writeHead(answered.status, { ...answered.headers, ...length }).end(answered.body);
    } catch {
      res.destroy();
    } finally {
      ended?.();
    }
  }

  const server = createServer((req, res) => void pass(req, res).catch(() => res.destroy()));
  const port = await listen(server, 0, "127.0.0.1");
  return {
    url: `http://127.0.0.1:${port}`,
    setAway(now) {
      isAway = now;
      if (now) server.closeAllConnections();
    },
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function forward(target: string, req: IncomingMessage, body: Buffer) {
  const { "transfer-encoding": _, connection: __, ...headers } = req.headers;
  return new Promise<{ status: number; headers: IncomingMessage["headers"]; body: Buffer }>(
    (resolve, reject) => {
      const outgoing = request(target, {
        method: req.method,
        path: req.url,
        headers,
        timeout: CALL_TIMEOUT_MS,
      });
      outgoing.once("timeout", () => outgoing.destroy(new Error("The target gave no answer")));
      outgoing.once("error", reject);
      outgoing.once("response", (answer) => {
        const { "transfer-encoding": ___, connection: ____, ...answered } = answer.headers;
        buffer(answer).then(
          (bytes) => resolve({ status: answer.statusCode ?? 502, headers: answered, body: bytes }),
          reject,
        );
      });
      outgoing.end(body);
    },
  );
}
