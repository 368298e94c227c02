import { type Dispatcher, request } from "undici";
import { systemCodeOf } from "../causes";
import { withoutToken } from "./without-token";

/** Version of the Graph API that is spoken. */
const GRAPH_VERSION = "v24.0";

export interface ExchangeRequest {
  /** Scheme and host of the Graph API. */
  readonly baseUrl: string;
  readonly accessToken: string;
  /** Below the version, without a leading slash; may bring a query. */
  readonly path: string;
  readonly method: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Dispatcher.DispatchOptions["body"];
  /** From connecting to the last byte of the answer. */
  readonly timeoutMs: number;
  /** Ends the call before its time. */
  readonly signal?: AbortSignal;
  readonly answerBytesMax: number;
  readonly dispatcher?: Dispatcher;
}

export interface Exchanged {
  readonly httpStatus: number;
  /** Without the access token, should the upstream repeat it. */
  readonly text: string;
}

class AnswerTooLarge extends Error {
  constructor(bytesMax: number) {
    super(`the answer is larger than ${bytesMax} bytes`);
  }
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

/** With a signal of its own: `AbortSignal.any` can lose a time limit that nothing else holds (nodejs/node#57736). */
async function whileWanted<T>(
  { timeoutMs, signal: wanted }: Pick<ExchangeRequest, "timeoutMs" | "signal">,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const late = () => controller.abort(new DOMException("The time is up", "TimeoutError"));
  const unwanted = () => controller.abort(wanted?.reason);
  const timer = setTimeout(late, timeoutMs);
  wanted?.addEventListener("abort", unwanted);
  if (wanted?.aborted) unwanted();
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    wanted?.removeEventListener("abort", unwanted);
  }
}

async function readAtMost(
  body: AsyncIterable<Buffer> & { destroy(): void },
  bytesMax: number,
): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > bytesMax) {
      body.destroy();
      throw new AnswerTooLarge(bytesMax);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Words of ours, a system's code or a kind of error, and never more: an address or a token can be in the rest. */
export function reasonOf(error: unknown): string {
  if (error instanceof AnswerTooLarge) return error.message;
  return systemCodeOf(error) ?? (error instanceof Error ? error.name : "unknown error");
}
