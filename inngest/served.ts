import { streamOf } from "@/server/http/stream";
import { ERRORS, isWaypostError } from "@/server/errors";
import { readBody } from "@/server/public-api/body";

/** Events hold one id and a run's state one empty result: a call of ours is below 10 KiB. */
const BODY = { bytesMax: 512 * 1024, timeoutMs: 10_000 } as const;
/** Of a call, and of an answer to who has the key. */
export const SIGNATURE = "x-inngest-signature";

export interface ServedOptions {
  /** The SDK's serve handler. */
  readonly handler: (request: Request) => Promise<Response>;
  /** False for a dev server, which signs nothing. */
  readonly isSigned: boolean;
  /** An Inngest server has run a function here. */
  readonly ran: () => void;
}

/**
 * What stands at `/api/inngest`: the SDK's handler behind a cap on the body and on the time it takes to arrive. Where calls
 * are signed, one without a signature is refused before it is read, and nothing is told to a caller whose signature is
 * wrong.
 */
export function servedToInngest({ handler, isSigned, ran }: ServedOptions) {
  return async (request: Request): Promise<Response> => {
    if (isSigned && !request.headers.has(SIGNATURE)) return refusal(401);
    const hasBody = request.method === "POST" || request.method === "PUT";
    let body: Buffer | null = null;
    try {
      if (hasBody) body = await readBody(streamOf(request), BODY);
    } catch (error) {
      if (isWaypostError(error)) return refusal(ERRORS[error.code].status ?? 400);
      throw error;
    }
    if (body && !isJson(body)) return refusal(400);
    const { method, headers, url } = request;
    const answer = await handler(new Request(url, { method, headers, body: body && new Uint8Array(body) }));
    // The SDK signs what it answers to a caller whose signature was right, and to nobody else.
    if (isSigned && !answer.headers.has(SIGNATURE)) return refusal(401);
    if (method === "POST" && answer.ok) ran();
    return answer;
  };
}

function isJson(body: Buffer): boolean {
  try {
    JSON.parse(body.toString("utf8"));
    return true;
  } catch {
    return false;
  }
}

function refusal(status: number): Response {
  return Response.json({ message: "Refused" }, { status });
}
