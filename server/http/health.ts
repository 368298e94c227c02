import type { ServerResponse } from "node:http";

/** Each part that must work before requests should be sent here. */
export interface Readiness {
  readonly parts: Readonly<Record<string, boolean>>;
}

/** The process lives. */
export function healthAnswer(res: ServerResponse): void {
  json(res, 200, { ok: true });
}

/** 200 when every part works, else 503; says which. */
export function readinessAnswer(res: ServerResponse, { parts }: Readiness): void {
  const ok = Object.values(parts).every(Boolean);
  json(res, ok ? 200 : 503, { ok, ...parts });
}

function json(res: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  res.writeHead(status, {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": Buffer.byteLength(text),
    "Cache-Control": "no-store",
  });
  res.end(text);
}
