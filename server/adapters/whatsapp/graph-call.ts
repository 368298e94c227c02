import { exchange, reasonOf } from "./exchange";
import { graphErrorIn, keptWords } from "./graph-error";

export interface GraphCall {
  /** Scheme and host of the Graph API. */
  readonly baseUrl: string;
  readonly accessToken: string;
  /** Below the version, without a leading slash. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Sent as JSON by POST; without it the call is a GET. */
  readonly body?: unknown;
  /** From connecting to the last byte of the answer. */
  readonly timeoutMs: number;
  readonly answerBytesMax: number;
}

export type GraphAnswer =
  | { readonly kind: "answered"; readonly json: unknown }
  /** A clear refusal, in the upstream's words. */
  | { readonly kind: "refused"; readonly httpStatus: number; readonly reason: string }
  /** No clear answer: what was asked for may have happened, or not. */
  | { readonly kind: "failed"; readonly reason: string };

/** One call of the Graph API, beside that of sending messages. Never throws, never follows a redirect. */
export async function graphCall(call: GraphCall): Promise<GraphAnswer> {
  const query = call.query === undefined ? "" : `?${new URLSearchParams(call.query).toString()}`;
  const hasBody = call.body !== undefined;
  try {
    const { httpStatus, text } = await exchange({
      ...call,
      path: `${call.path}${query}`,
      method: hasBody ? "POST" : "GET",
      headers: hasBody ? { "content-type": "application/json" } : {},
      body: hasBody ? JSON.stringify(call.body) : undefined,
    });
    return readGraphAnswer(httpStatus, text);
  } catch (error) {
    return { kind: "failed", reason: reasonOf(error) };
  }
}

function readGraphAnswer(httpStatus: number, text: string): GraphAnswer {
  const json = parse(text);
  if (httpStatus >= 200 && httpStatus < 300 && json !== undefined) return { kind: "answered", json };
  const error = graphErrorIn(json);
  if (!error) return { kind: "failed", reason: `HTTP ${httpStatus} without a readable answer` };
  const words = error.words ?? "no details";
  const reason = keptWords(error.code === null ? words : `(#${error.code}) ${words}`);
  return httpStatus >= 400 && httpStatus < 500
    ? { kind: "refused", httpStatus, reason }
    : { kind: "failed", reason };
}

/** PostgreSQL stores neither NUL nor a lone surrogate, and nobody can read them. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text, (_, value: unknown) =>
      typeof value === "string" ? value.replaceAll("\0", "\uFFFD").toWellFormed() : value,
    );
  } catch {
    return undefined;
  }
}
