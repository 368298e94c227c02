import { exchange, reasonOf } from "./exchange";
import { graphErrorIn, keptWords } from "./graph-error";

export interface GraphCall {
  /** Scheme and host of the Graph API. */
  readonly baseUrl: string;
  readonly accessToken: string;
  /** Path below the version, without a leading slash. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Sent as JSON by POST. Without it, the call is a GET. */
  readonly body?: unknown;
  /** Time limit from connecting to the last byte of the response. */
  readonly timeoutMs: number;
  readonly answerBytesMax: number;
}

export type GraphAnswer =
  | { readonly kind: "answered"; readonly json: unknown }
  /** A clear refusal, in the upstream's words. */
  | { readonly kind: "refused"; readonly httpStatus: number; readonly reason: string }
  /** No clear response: the action may or may not have happened. */
  | { readonly kind: "failed"; readonly reason: string };

/** Makes one call of the Graph API, other than sending messages. Never throws, never follows a redirect. */
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

/**
 * Parses JSON. Replaces NUL and lone surrogates, which PostgreSQL can't store and people can't read. Undefined if
 * invalid.
 */
function parse(text: string): unknown {
  try {
    return JSON.parse(text, (_, value: unknown) =>
      typeof value === "string" ? value.replaceAll("\0", "\uFFFD").toWellFormed() : value,
    );
  } catch {
    return undefined;
  }
}
