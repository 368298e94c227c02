import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { freePort } from "./free-port";

const CALL_TIMEOUT_MS = 60_000;
const CHECK_EVERY_MS = 500;
const CHECK_TIMEOUT_MS = 2_000;
/** The default of common proxies. */
const CONNECTIONS_KEPT_MAX = 32;

/** A reverse proxy over several servers, on a loopback port. */
export interface Balancer {
  readonly url: string;
  /** Descriptions of failures to pass a response on: the client got 502. */
  readonly failures: readonly string[];
  close(): Promise<void>;
}

export interface BalancerOptions {
  /**
   * Requests `/readyz` twice a second and leaves out servers that don't respond with 200. If false, all get requests.
   */
  readonly asksReadiness: boolean;
}

interface Upstream {
  readonly url: URL;
  isReady: boolean;
}

/**
 * Passes requests on to the servers in turn, over kept-alive connections, like nginx and others. A server that can't be
 * connected to is skipped. A sent request is never sent again. Without a response, the client gets 502.
 */
export async function startBalancer(
  upstreamUrls: readonly string[],
  { asksReadiness }: BalancerOptions,
): Promise<Balancer> {
  // In turn, so that each connection carries a request while a server drains, and closes with its response. HTTP/1.1
  // can't prevent that an idle connection is closed at the moment when a request is written to it.
  const agent = new Agent({ keepAlive: true, maxFreeSockets: CONNECTIONS_KEPT_MAX, scheduling: "fifo" });
  const upstreams: Upstream[] = upstreamUrls.map((url) => ({ url: new URL(url), isReady: true }));
  const failures: string[] = [];
  let turn = 0;

  async function pass(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const body = await buffer(req);
    const ready = upstreams.filter(({ isReady }) => isReady);
    const first = turn++;
    const inTurn = ready.map((_, index) => ready[(first + index) % ready.length]?.url);
    const answer = await firstAnswer(agent, inTurn, req, body);
    if (typeof answer !== "string") return void res.writeHead(answer.status, answer.headers).end(answer.body);
    failures.push(`${req.method} ${req.url}: ${answer}`);
    res.writeHead(502).end();
  }

  const server = createServer((req, res) => {
    pass(req, res).catch(() => res.destroy());
  });
  server.keepAliveTimeout = CALL_TIMEOUT_MS;
  const port = await freePort();
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const check = async () => {
    for (const upstream of upstreams) upstream.isReady = await isReady(upstream.url);
  };
  const checking = asksReadiness ? setInterval(() => void check(), CHECK_EVERY_MS) : undefined;
  return {
    url: `http://127.0.0.1:${port}`,
    failures,
    async close() {
      clearInterval(checking);
      agent.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

/** Tries one after the other until one can be connected to; describes the failures if none responds. */
async function firstAnswer(
  agent: Agent,
  upstreams: readonly (URL | undefined)[],
  req: IncomingMessage,
  body: Buffer,
): Promise<Answer | string> {
  for (const upstream of upstreams) {
    if (!upstream) continue;
    try {
      const answer = await call(agent, upstream, req, body);
      const { statusCode: status = 502, headers } = answer;
      return { status, headers: withoutHop(headers), body: await buffer(answer) };
    } catch (error) {
      if (!isUnconnected(error)) return String(error);
    }
  }
  return "nobody could be connected to";
}

async function call(
  agent: Agent,
  upstream: URL,
  req: IncomingMessage,
  body: Buffer,
): Promise<IncomingMessage> {
  const outgoing = request(upstream, {
    agent,
    method: req.method,
    path: req.url,
    headers: { ...withoutHop(req.headers), "content-length": String(body.byteLength) },
    signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
  });
  outgoing.end(body);
  const [answer] = await once(outgoing, "response");
  return asIncoming(answer);
}

/** Guarantee: Node's client emits "response" only with an IncomingMessage. */
function asIncoming(answer: unknown): IncomingMessage {
  return answer as IncomingMessage;
}

/** Headers that belong to one connection, and aren't passed on. */
const HOP_BY_HOP = new Set(["connection", "keep-alive", "transfer-encoding", "content-length"]);

function withoutHop(headers: IncomingMessage["headers"]): IncomingMessage["headers"] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name)));
}

/** Refused, or reset before it was established, as a system does if nobody accepted it: nothing was sent yet. */
function isUnconnected(error: unknown): boolean {
  return error instanceof Error && "syscall" in error && error.syscall === "connect";
}

async function isReady(upstream: URL): Promise<boolean> {
  try {
    const answer = await fetch(new URL("/readyz", upstream), {
      signal: AbortSignal.timeout(CHECK_TIMEOUT_MS),
    });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}
