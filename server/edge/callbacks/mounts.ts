import type { IncomingMessage, ServerResponse } from "node:http";
import { streamOf } from "@/server/transport/body";
import type { PublicResponse } from "@/server/transport/envelope";
import type { CallbackRequest } from "./intake";

type Take = (channelId: string, request: CallbackRequest) => Promise<PublicResponse>;

const HEADERS = { "X-Content-Type-Options": "nosniff" } as const;

/** Mounts the callback address on node's own server. */
export function callbackNodeMount(take: Take) {
  return async (
    req: IncomingMessage,
    res: ServerResponse,
    channelId: string,
    query: string,
  ): Promise<void> => {
    const { status, body, headers } = await take(channelId, {
      method: req.method ?? "GET",
      query: new URLSearchParams(query),
      header: (name) => {
        const value = req.headers[name];
        return typeof value === "string" ? value : null;
      },
      body: () => req.iterator({ destroyOnReturn: false }),
    });
    if (res.destroyed) return;
    res.writeHead(status, { ...HEADERS, ...headers, "Content-Length": Buffer.byteLength(body) });
    res.end(body);
    if (!req.complete) req.resume();
  };
}

/** Mounts it on the Fetch API: Next's route handler. */
export function callbackFetchMount(take: Take) {
  return async (request: Request, channelId: string): Promise<Response> => {
    const { status, body, headers } = await take(channelId, {
      method: request.method,
      query: new URL(request.url).searchParams,
      header: (name) => request.headers.get(name),
      body: () => streamOf(request),
    });
    return new Response(request.method === "HEAD" ? null : body, {
      status,
      headers: { ...HEADERS, ...headers },
    });
  };
}
