import { type Dispatcher, request } from "undici";
import { AnswerTooLarge, type CallBounds, readAtMost, whileWanted } from "@/server/lib/bounded-call";
import { systemCodeOf } from "@/server/lib/error-causes";
import { withoutToken } from "./without-token";

/** Version of the Graph API that is used. */
const GRAPH_VERSION = "v24.0";

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
 * Returns our own text, a system error code or a kind of error, and never more, because the rest can contain an address
 * or a token.
 */
export function reasonOf(error: unknown): string {
  if (error instanceof AnswerTooLarge) return error.message;
  return systemCodeOf(error) ?? (error instanceof Error ? error.name : "unknown error");
}
