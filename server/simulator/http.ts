import type { IncomingMessage, ServerResponse } from "node:http";
import type { z } from "zod";
import { graphErrorBody, graphErrors, type GraphError, invalidParameter } from "./graph-errors";

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

/**
 * Returns the token of an `Authorization: Bearer` header, or else of the query (`?access_token=`), which Graph accepts
 * too. Null if there is neither.
 */
export function accessToken(request: IncomingMessage): string | null {
  const inHeader = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? "")?.[1];
  return inHeader ?? queryOf(request).get("access_token");
}

/** Returns the parameters in the query of a request. */
export function queryOf(request: IncomingMessage): URLSearchParams {
  const [, query] = (request.url ?? "").split("?", 2);
  return new URLSearchParams(query);
}

/** The fields of a node of the Graph API. `isDefault` ones are returned without `fields`. */
export type NodeFields<Node> = Readonly<
  Record<string, { readonly isDefault: boolean; value(node: Node): unknown }>
>;

/**
 * Reads `fields=a,b` of a `GET`, and returns those fields of a node, and its `id`.
 * @returns Meta's error if a field isn't known.
 */
export function readFields<Node>(
  query: URLSearchParams,
  { nodeType, fields }: { nodeType: string; fields: NodeFields<Node> },
): { readonly show: (node: Node) => object } | { readonly error: GraphError } {
  const named = query.get("fields")?.split(",");
  const wanted = named?.filter((name) => name !== "");
  const unknown = wanted?.find((name) => !Object.hasOwn(fields, name));
  if (unknown !== undefined) {
    const words = `Tried accessing nonexisting field (${unknown.slice(0, 40)}) on node type (${nodeType})`;
    return { error: invalidParameter(words) };
  }
  const shown = Object.entries(fields).filter(
    ([name, { isDefault }]) => name === "id" || (wanted?.includes(name) ?? isDefault),
  );
  return { show: (node) => Object.fromEntries(shown.map(([name, { value }]) => [name, value(node)])) };
}

/** Sends an error of the simulator's own API: `{ error: { message, field? } }`. */
export function sendControlError(
  response: ServerResponse,
  status: number,
  message: string,
  field?: string,
): void {
  sendJson(response, status, { error: { message, ...(field === undefined ? {} : { field }) } });
}

/** Reads the body of a call of the simulator's own API. Null if it was refused; the error response was sent then. */
export async function readInput<Schema extends z.ZodType>(
  schema: Schema,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<z.infer<Schema> | null> {
  const body = await readJson(request);
  if (body.kind === "too_large") {
    sendControlError(response, 413, "the body is larger than 1 MB");
    return null;
  }
  if (body.kind === "not_json") {
    sendControlError(response, 400, "the body is not valid JSON");
    return null;
  }
  const parsed = schema.safeParse(body.value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const path = [
    ...(issue?.path ?? []),
    ...(issue?.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : []),
  ];
  const field = path.join(".");
  sendControlError(response, 400, `${field || "body"}: ${issue?.message ?? "invalid"}`, field || undefined);
  return null;
}
