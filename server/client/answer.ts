import { WaypostConnectionError, WaypostError } from "./errors.js";
import { operationOf, type OperationName } from "./operations.js";
import type { ErrorEnvelope } from "./types.js";

/** More than the largest page of the API. */
const ANSWER_BYTES_MAX = 32 * 1024 * 1024;
const NO_CONTENT = 204;

/**
 * Reads an answer.
 * @returns its body, parsed. Undefined if it has none.
 * @throws WaypostError for a refusal; WaypostConnectionError for what isn't an answer of Waypost.
 */
export async function readAnswer(operation: OperationName, response: Response): Promise<unknown> {
  // A browser shows of a redirect only that it is one.
  if (response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400)) {
    await response.body?.cancel();
    throw invalid(operation, response, "redirect", "is a redirect, which isn't followed. Check `baseUrl`");
  }
  const text = await readText(operation, response);
  if (response.status === NO_CONTENT) return undefined;
  const body = parse(text);
  if (response.ok && typeof body === "object" && body !== null) return body;
  if (!response.ok && isEnvelope(body)) throw refusal(operation, response, body);
  const type = response.headers.get("content-type") ?? "no content type";
  throw invalid(
    operation,
    response,
    "invalid_answer",
    `isn't one of Waypost (${type}). Check \`baseUrl\` and proxies`,
  );
}

async function readText(operation: OperationName, response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return "";
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.byteLength;
    if (size > ANSWER_BYTES_MAX) {
      await reader.cancel();
      throw invalid(operation, response, "invalid_answer", `is larger than ${ANSWER_BYTES_MAX} bytes`);
    }
    text += decoder.decode(next.value, { stream: true });
  }
  return text + decoder.decode();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isEnvelope(body: unknown): body is ErrorEnvelope {
  const { code, message }: Record<string, unknown> = Object(Object(body).error);
  return typeof code === "string" && typeof message === "string";
}

function refusal(operation: OperationName, response: Response, { error }: ErrorEnvelope): WaypostError {
  const { status, headers } = response;
  return new WaypostError({
    code: error.code,
    message: error.message,
    status,
    resend: error.resend,
    operation,
    field: error.field,
    resendAfter: error.resend_after === undefined ? undefined : new Date(error.resend_after),
    docUrl: error.doc_url,
    requestId: headers.get("x-request-id") ?? undefined,
    retryAfterMs: retryAfterMsOf(headers),
  });
}

function invalid(
  operation: OperationName,
  response: Response,
  reason: "redirect" | "invalid_answer",
  problem: string,
): WaypostConnectionError {
  const { status, headers } = response;
  return new WaypostConnectionError({
    message: `The answer to ${operation}${status === 0 ? "" : ` with HTTP status ${status}`} ${problem}.`,
    reason,
    operation,
    // A 4xx of a proxy, or a redirect: the request wasn't passed on.
    mayHaveBeenAccepted: changesSomething(operation) && (response.ok || status >= 500),
    // A browser doesn't show the status of a redirect.
    status: status === 0 ? undefined : status,
    retryAfterMs: retryAfterMsOf(headers),
  });
}

/** Waypost sends seconds; proxies can also send a date. */
function retryAfterMsOf(headers: Headers): number | undefined {
  const text = headers.get("retry-after")?.trim() ?? "";
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** Whether an operation does more than read. */
export function changesSomething(operation: OperationName): boolean {
  return operationOf(operation).method !== "GET";
}
