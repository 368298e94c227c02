import { type Dispatcher, request } from "undici";
import { AnswerTooLarge, type CallBounds, readAtMost, whileWanted } from "@/server/lib/bounded-call";
import { systemCodeOf } from "@/server/lib/error-causes";
import { withoutToken } from "./without-token";

/** Version of the Graph API that is spoken. */
const GRAPH_VERSION = "v24.0";

export interface ExchangeRequest extends CallBounds {
  /** Scheme and host of the Graph API. */
  readonly baseUrl: string;
  readonly accessToken: string;
  /** Below the version, without a leading slash; may bring a query. */
  readonly path: string;
  readonly method: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Dispatcher.DispatchOptions["body"];
  readonly answerBytesMax: number;
  readonly dispatcher?: Dispatcher;
}

export interface Exchanged {
  readonly httpStatus: number;
  /** Without the access token, should the upstream repeat it. */
  readonly text: string;
}

/**
 * One call of the Graph API to the end of its answer. Never follows a redirect.
 * @throws what broke the call, a time limit and an answer beyond its cap included: `reasonOf` words it.
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

/** Words of ours, a system's code or a kind of error, and never more: an address or a token can be in the rest. */
export function reasonOf(error: unknown): string {
  if (error instanceof AnswerTooLarge) return error.message;
  return systemCodeOf(error) ?? (error instanceof Error ? error.name : "unknown error");
}
