import type { IncomingMessage, ServerResponse } from "node:http";

/** Parts that must work before requests are routed here, and parts that may fail while most requests still work. */
export interface Readiness {
  /** The parts that this process needs to serve. */
  readonly parts: Readonly<Record<string, boolean>>;
  /** Parts whose failure needs attention, although requests are served without them. */
  readonly degradable?: Readonly<Record<string, boolean>>;
}

/** True if every needed part works: the status is 200. */
export function isReady({ parts }: Readiness): boolean {
  return Object.values(parts).every(Boolean);
}

/** Reports that the process is alive. */
export function healthAnswer(req: IncomingMessage, res: ServerResponse): void {
  if (isRead(req, res)) json(res, 200, { ok: true });
}

/** Responds 200 if every needed part works, else 503. The body names the failed parts, including degradable ones. */
export async function readinessAnswer(
  req: IncomingMessage,
  res: ServerResponse,
  ask: () => Promise<Readiness>,
): Promise<void> {
  if (!isRead(req, res)) return;
  const readiness = await ask();
  const { parts, degradable = {} } = readiness;
  const degraded = Object.keys(degradable).filter((name) => degradable[name] === false);
  const ok = isReady(readiness);
  json(res, ok ? 200 : 503, { ok, ...parts, ...degradable, degraded });
}

/** Dependencies of `/metrics`. */
export interface MetricsMount {
  readonly contentType: string;
  /** Returns true if the value of `Authorization` permits reading. */
  readonly admits: (authorization: string | undefined) => boolean;
  text(): Promise<string>;
}

const HOW_TO_READ = `Send \`Authorization: Bearer …\` with WAYPOST_METRICS_TOKEN, or with what the file metrics-token in the data directory holds.\n`;

/** Responds with Prometheus's text format, if the token is valid. */
export async function metricsAnswer(
  req: IncomingMessage,
  res: ServerResponse,
  mount: MetricsMount,
): Promise<void> {
  if (!isRead(req, res)) return;
  if (mount.admits(req.headers.authorization)) return send(res, 200, mount.contentType, await mount.text());
  res.setHeader("WWW-Authenticate", 'Bearer realm="metrics"');
  send(res, 401, TEXT, HOW_TO_READ);
}

/** These paths are read-only. Responds with an error to other methods. */
function isRead(req: IncomingMessage, res: ServerResponse): boolean {
  if (req.method === "GET" || req.method === "HEAD") return true;
  res.setHeader("Allow", "GET, HEAD");
  send(res, 405, TEXT, "Method not allowed.\n");
  return false;
}

const TEXT = "text/plain; charset=utf-8";

function json(res: ServerResponse, status: number, body: unknown): void {
  send(res, status, "application/json; charset=utf-8", JSON.stringify(body));
}

function send(res: ServerResponse, status: number, contentType: string, text: string): void {
  res.writeHead(status, {
    "Content-Type": contentType,
    "Content-Length": Buffer.byteLength(text),
    "Cache-Control": "no-store",
  });
  // Node omits the body in the response to HEAD.
  res.end(text);
}
