import type { IncomingMessage, ServerResponse } from "node:http";
import { graphErrorBody, graphErrors, type GraphError } from "./graph-errors";

const bodyBytesMax = 1024 * 1024;

export type JsonBody =
  | { readonly kind: "json"; readonly value: unknown }
  | { readonly kind: "too_large" }
  | { readonly kind: "not_json" };

/** Reads a body of at most 1 MB as UTF-8 JSON. Rejects if the connection breaks before its end. */
export async function readJson(request: IncomingMessage): Promise<JsonBody> {
  const bytes = await readCapped(request);
  if (bytes === null) return { kind: "too_large" };
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return { kind: "json", value };
  } catch {
    return { kind: "not_json" };
  }
}

function readCapped(request: IncomingMessage): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length <= bodyBytesMax) chunks.push(chunk);
      else resolve(null);
    });
    request.on("end", () => resolve(Buffer.concat(chunks)));
    request.on("error", reject);
    request.on("close", () => reject(new Error("the connection closed before the end of the body")));
  });
}

/** Sends JSON. Has no effect if the caller has disconnected. */
export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  if (response.destroyed || response.headersSent) return;
  const body = Buffer.from(JSON.stringify(value));
  // A caller that is still uploading must not keep the connection.
  if (!response.req.complete) response.setHeader("connection", "close");
  response.writeHead(status, {
    "content-type": "application/json; charset=UTF-8",
    "content-length": String(body.length),
  });
  response.end(body);
}

/** Sends a Graph error with the HTTP status that Meta documents for it. */
export function sendGraphError(response: ServerResponse, error: GraphError): void {
  sendJson(response, graphErrors[error.error].httpStatus, graphErrorBody(error));
}

/** Returns the token of an `Authorization: Bearer` header. Null if there is none. */
export function bearerToken(request: IncomingMessage): string | null {
  return /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? "")?.[1] ?? null;
}
