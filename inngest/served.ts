import { ERRORS, isWaypostError } from "@/server/platform/errors";
import { readBody, streamOf } from "@/server/transport/body";

/** Events contain one id and a run's state one empty result, so a call is below 10 KiB. */
const BODY = { bytesMax: 512 * 1024, timeoutMs: 10_000 } as const;
/** Header of a signed call, and of a response to a caller that has the key. */
export const SIGNATURE = "x-inngest-signature";

export interface ServedOptions {
  /** The SDK's serve handler. */
  readonly handler: (request: Request) => Promise<Response>;
  /** False for a dev server, which signs nothing. */
  readonly isSigned: boolean;
  /** Called when an Inngest server has run a function here, once for each second in which calls were signed. */
  readonly ran: () => void;
}

/**
 * Serves `/api/inngest`: the SDK's handler with a limit for the body's size and its arrival time. If calls are signed,
 * an unsigned one is refused before it is read, and a caller with an invalid signature gets no information.
 */
export function servedToInngest({ handler, isSigned, ran }: ServedOptions) {
  let newestSignedAt = 0;
  /** A captured call can be replayed for minutes, so it proves nothing about the server's current state. */
  function isNewlySigned(request: Request): boolean {
    const signedAt = Number(new URLSearchParams(request.headers.get(SIGNATURE) ?? "").get("t"));
    if (!(signedAt > newestSignedAt)) return false;
    newestSignedAt = signedAt;
    return true;
  }
  return async (request: Request): Promise<Response> => {
    if (isSigned && !request.headers.has(SIGNATURE)) return errorResponse(401);
    const hasBody = request.method === "POST" || request.method === "PUT";
    let body: Buffer | null = null;
    try {
      if (hasBody) body = await readBody(streamOf(request), BODY);
    } catch (error) {
      if (isWaypostError(error)) return errorResponse(ERRORS[error.code].status ?? 400);
      throw error;
    }
    if (body && !isJson(body)) return errorResponse(400);
    const { method, headers, url } = request;
    const answer = await handler(new Request(url, { method, headers, body: body && new Uint8Array(body) }));
    // The SDK signs a response only if the caller's signature was valid.
    if (isSigned && !answer.headers.has(SIGNATURE)) return errorResponse(401);
    if (method === "POST" && answer.ok && (!isSigned || isNewlySigned(request))) ran();
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

function errorResponse(status: number): Response {
  return Response.json({ message: "Refused" }, { status });
}
