import { type Dispatcher, request } from "undici";
import { AnswerTooLarge, type CallBounds, readAtMost, whileWanted } from "@/server/lib/bounded-call";
import { failureWords } from "./failure-words";
import { graphErrorIn, keptWords } from "./graph-error";

/** Version of the Graph API that is used. */
const GRAPH_VERSION = "v24.0";

/**
 * Meta's tokens have hundreds of characters. A shorter one could match any text, including the response's own syntax.
 */
const TOKEN_LENGTH_MIN = 16;

export interface ExchangeRequest extends CallBounds {
  /** Scheme and host of the Graph API. */
  readonly baseUrl: string;
  readonly accessToken: string;
  /** Path below the version, without a leading slash. May contain a query. */
  readonly path: string;
  readonly method: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Dispatcher.DispatchOptions["body"];
  readonly answerBytesMax: number;
  readonly dispatcher?: Dispatcher;
}

export interface Exchanged {
  readonly httpStatus: number;
  /** Without the access token, in case the upstream repeats it. */
  readonly text: string;
}

/**
 * Makes one call of the Graph API and reads the response to the end. Never follows a redirect.
 * @throws the error that broke the call, including a timeout and a response above its size limit: `reasonOf` describes
 * it.
 */
export async function exchange(call: ExchangeRequest): Promise<Exchanged> {
  return whileWanted(call, async (signal) => {
    const { statusCode, body } = await request(`${call.baseUrl}/${GRAPH_VERSION}/${call.path}`, {
      method: call.method,
      headers: { ...call.headers, authorization: `Bearer ${call.accessToken}` },
      body: call.body,
      signal,
      dispatcher: call.dispatcher,
    });
    return {
      httpStatus: statusCode,
      text: withoutToken(await readAtMost(body, call.answerBytesMax), call.accessToken),
    };
  });
}

/**
 * Removes the token of the request from a response. Meta repeats a malformed token in its error text, which is stored
 * and shown to staff.
 */
export function withoutToken(answer: string, accessToken: string): string {
  return accessToken.length < TOKEN_LENGTH_MIN ? answer : answer.replaceAll(accessToken, "[access token]");
}

/** Returns our own text for the error, and never the error's, because that can contain an address or a token. */
export function reasonOf(error: unknown): string {
  return error instanceof AnswerTooLarge ? error.message : failureWords(error);
}

interface GraphCall {
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
  | {
      readonly kind: "refused";
      readonly httpStatus: number;
      /** The upstream's code; null if it gave none. */
      readonly code: number | null;
      readonly reason: string;
    }
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
    ? { kind: "refused", httpStatus, code: error.code, reason }
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
