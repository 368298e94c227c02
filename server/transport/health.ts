import type { IncomingMessage, ServerResponse } from "node:http";

/** What must work before requests should be sent here, and what may fail while others still work. */
export interface Readiness {
  /** Each part without which this process can't serve. */
  readonly parts: Readonly<Record<string, boolean>>;
  /** Parts whose failure somebody should see to, though requests are answered without them. */
  readonly degradable?: Readonly<Record<string, boolean>>;
}

/** 200 when every needed part works. */
export function isReady({ parts }: Readiness): boolean {
  return Object.values(parts).every(Boolean);
}

/** The process lives. */
export function healthAnswer(req: IncomingMessage, res: ServerResponse): void {
  if (isRead(req, res)) json(res, 200, { ok: true });
}

/** 200 when every needed part works, else 503; says which, and what else doesn't. */
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

/** What `/metrics` needs. */
export interface MetricsMount {
  readonly contentType: string;
  /** Whether the value of `Authorization` lets its sender read. */
  readonly admits: (authorization: string | undefined) => boolean;
  text(): Promise<string>;
}

const HOW_TO_READ = `Send \`Authorization: Bearer …\` with WAYPOST_METRICS_TOKEN, or with what the file metrics-token in the data directory holds.\n`;

/** Prometheus's text, for who has the token. */
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

/** These paths are only read; for anything else says so. */
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
  // Node leaves the body out of the answer to HEAD.
  res.end(text);
}
