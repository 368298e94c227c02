import { rootCause, systemCodeOf } from "@/server/lib/error-causes";

export interface FetchLimits {
  /** Time limit from the call to the last byte of the response. */
  readonly timeoutMs: number;
  readonly answerBytesMax: number;
}

/** An Inngest server responds to an event with its ids, and to a registration with a line of text. */
const LIMITS: FetchLimits = { timeoutMs: 5_000, answerBytesMax: 1024 * 1024 };

/**
 * A `fetch` for the SDK's calls to an Inngest server, which have no limits of their own. Follows no redirect, because
 * an event's URL contains a key. The response is read completely before it is returned.
 * @throws Error beginning with `fetch failed`, so that the SDK writes no log line of its own. It contains neither
 * address nor key.
 */
export function boundedFetch({ timeoutMs, answerBytesMax }: FetchLimits = LIMITS): typeof fetch {
  return async (input, init) => {
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const answer = await fetch(input, { ...init, redirect: "manual", signal });
      const body = await readAtMost(answer, answerBytesMax);
      const { status, headers } = answer;
      return new Response(body.byteLength === 0 ? null : body, { status, headers });
    } catch (error) {
      const reason = signal.aborted ? `no answer within ${timeoutMs} ms` : reasonOf(error);
      throw new Error(`fetch failed: ${reason}`, { cause: error });
    }
  };
}

async function readAtMost({ body }: Response, bytesMax: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop cancels the stream, and with it the connection.
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > bytesMax) throw new Error(`the answer is larger than ${bytesMax} bytes`);
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

/**
 * Node says `fetch failed` and puts the reason into the cause. The cause of a refused connection has no text of its
 * own.
 */
function reasonOf(error: unknown): string {
  return systemCodeOf(error) ?? (error instanceof Error ? rootCause(error).message : "unknown");
}
