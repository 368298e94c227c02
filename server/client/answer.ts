import { WaypostConnectionError, WaypostError } from "./errors.js";
import { changesSomething, type OperationName, type Proof, PROOFS } from "./operations.js";
import type { ErrorEnvelope } from "./types.js";

/** More than the largest page of the API. */
const ANSWER_BYTES_MAX = 32 * 1024 * 1024;
const NO_CONTENT = 204;

/**
 * Reads an answer.
 * @param sent the body of the request, if it was JSON.
 * @returns its body, parsed. Undefined if the operation has none. The response itself, unread, if it is a file.
 * @throws WaypostError for a refusal; WaypostConnectionError for what isn't an answer of Waypost.
 */
export async function readAnswer(
  operation: OperationName,
  response: Response,
  sent: unknown,
): Promise<unknown> {
  // A browser shows of a redirect only that it is one.
  if (response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400)) {
    await response.body?.cancel();
    throw invalid(operation, response, "redirect", "is a redirect, which isn't followed. Check `baseUrl`");
  }
  const proof: Proof = PROOFS[operation];
  if (proof === "file" && response.ok && isFile(response)) return response;
  const text = await readText(operation, response);
  const body = response.status === NO_CONTENT ? undefined : parse(text);
  const isProven = isProof(proof, response, body, sent);
  if (response.ok && isProven) return body;
  if (!response.ok && isEnvelope(body)) throw refusal(operation, response, body);
  const type = response.headers.get("content-type") ?? "no content type";
  throw invalid(
    operation,
    response,
    "invalid_answer",
    `isn't one of Waypost (${type}). Check \`baseUrl\` and proxies`,
  );
}

/** Returns true if a successful answer comes from Waypost. */
function isProof(proof: Proof, response: Response, body: unknown, sent: unknown): boolean {
  if (proof === "file") return false;
  return proof === "no content" ? response.status === NO_CONTENT : proves(proof, body, sent);
}

const isFile = ({ headers }: Response) =>
  headers.get("content-disposition")?.startsWith("attachment") === true && headers.has("x-request-id");

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

function proves(proof: Exclude<Proof, string>, body: unknown, sent: unknown): boolean {
  if ("members" in proof)
    return hasTexts(body, proof.members) && (proof.repeats ?? []).every((name) => isSame(name, body, sent));
  const { data, next_cursor: next }: Record<string, unknown> = Object(body);
  const isPage = Array.isArray(data) && (next === null || typeof next === "string");
  return isPage && data.every((entry: unknown) => hasTexts(entry, proof.entries));
}

function hasTexts(value: unknown, names: readonly string[]): boolean {
  return names.every((name) => typeof Object(value)[name] === "string");
}

const isSame = (name: string, body: unknown, sent: unknown) => Object(body)[name] === Object(sent)[name];

function isEnvelope(body: unknown): body is ErrorEnvelope {
  return hasTexts(Object(body).error, ["code", "message", "resend"]);
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
    resendAfter: dateOf(error.resend_after),
    docUrl: error.doc_url,
    requestId: headers.get("x-request-id") ?? undefined,
    retryAfterMs: retryAfterMsOf(headers),
  });
}

/** @returns undefined for what isn't a time. */
function dateOf(text: string | undefined): Date | undefined {
  const ms = Date.parse(text ?? "");
  return Number.isNaN(ms) ? undefined : new Date(ms);
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
