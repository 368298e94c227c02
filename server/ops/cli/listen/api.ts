import { request } from "undici";
import { z } from "zod";
import { AnswerTooLarge, readAtMost, whileWanted } from "@/server/lib/bounded-call";
import { BASE_PATH } from "@/server/platform/addresses";

/** The public API as its clients see it. This command may run on another machine, with another version. */
export interface Api {
  /**
   * @throws ApiRefusal for any response but success; ApiUnreachable if there was none; the reason that `stopping` was
   * aborted with.
   */
  call<S extends z.ZodType>(request: ApiRequest<S>): Promise<z.output<S>>;
}

export interface ApiRequest<S extends z.ZodType> {
  readonly method: "GET" | "POST" | "DELETE";
  /** Path below the API's base, with its query. */
  readonly path: string;
  readonly body?: object;
  /** Schema of the response. */
  readonly schema: S;
  /** Cancels the call. Absent for a call that must be made even after a stop. */
  readonly stopping?: AbortSignal;
}

/** An error response of the API. */
export class ApiError extends Error {
  override readonly name = "ApiRefusal";

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    /** Null if the response contains none. */
    readonly retryAfterSeconds: number | null,
  ) {
    super(message);
  }
}

export class ApiUnreachable extends Error {
  override readonly name = "ApiUnreachable";
}

const TIMEOUT_MS = 15_000;
/** More than ten events of maximum size. */
const ANSWER_BYTES_MAX = 128 * 1024 * 1024;

const refusalSchema = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

interface ApiOptions {
  /** Address of the service, without a trailing slash. */
  readonly baseUrl: string;
  readonly key: string;
  /** Larger than any response of Waypost. */
  readonly answerBytesMax?: number;
}

export function createApi({ baseUrl, key, answerBytesMax = ANSWER_BYTES_MAX }: ApiOptions): Api {
  return {
    async call({ method, path, body, schema, stopping }) {
      const bounds = { timeoutMs: TIMEOUT_MS, signal: stopping };
      const { status, text, retryAfter } = await whileWanted(bounds, (signal) =>
        answerTo(`${baseUrl}${BASE_PATH}${path}`, {
          method,
          headers: {
            Authorization: `Bearer ${key}`,
            ...(body === undefined ? {} : { "Content-Type": "application/json" }),
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          signal,
          answerBytesMax,
        }),
      ).catch((error: unknown) => {
        stopping?.throwIfAborted();
        if (error instanceof AnswerTooLarge) throw unknownAnswer(baseUrl);
        throw new ApiUnreachable(`Waypost at ${baseUrl} doesn't respond.`, { cause: error });
      });
      if (status < 200 || status > 299) throw errorOf(status, text, retryAfter);
      const answer = schema.safeParse(text === "" ? undefined : jsonOf(text));
      if (!answer.success) throw unknownAnswer(baseUrl);
      return answer.data;
    },
  };
}

function unknownAnswer(baseUrl: string): ApiError {
  const words = `The server at ${baseUrl} isn't Waypost, or it is another version of Waypost.`;
  return new ApiError(200, "unknown_answer", words, null);
}

type AnswerOptions = Parameters<typeof request>[1] & { readonly answerBytesMax: number };

async function answerTo(url: string, { answerBytesMax, ...options }: AnswerOptions) {
  const { statusCode: status, headers, body } = await request(url, options);
  const { "retry-after": retryAfter } = headers;
  return {
    status,
    text: await readAtMost(body, answerBytesMax),
    retryAfter: typeof retryAfter === "string" ? retryAfter : null,
  };
}

function errorOf(status: number, text: string, retryAfter: string | null): ApiError {
  const { data } = refusalSchema.safeParse(jsonOf(text));
  const seconds = /^\d{1,5}$/.test(retryAfter ?? "") ? Number(retryAfter) : null;
  if (!data) return new ApiError(status, `http_${status}`, `Waypost responded with ${status}.`, seconds);
  return new ApiError(status, data.error.code, data.error.message, seconds);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
