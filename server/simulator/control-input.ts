import type { IncomingMessage, ServerResponse } from "node:http";
import type { z } from "zod";
import { readJson, sendJson } from "./http";

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
