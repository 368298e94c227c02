/** What a call is bounded by, from connecting to the last byte of its answer. */
export interface CallBounds {
  readonly timeoutMs: number;
  /** Ends the call before its time. */
  readonly signal?: AbortSignal;
}

export class AnswerTooLarge extends Error {
  constructor(bytesMax: number) {
    super(`the answer is larger than ${bytesMax} bytes`);
  }
}

/**
 * Gives the work a signal that aborts with a `TimeoutError` when the time is up, and with its reason when the call isn't
 * wanted any more. A signal of its own: `AbortSignal.any` can lose a time limit that nothing else holds (nodejs/node#57736).
 */
export async function whileWanted<T>(
  { timeoutMs, signal: wanted }: CallBounds,
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

/** The text of an answer. @throws AnswerTooLarge as soon as it is. */
export async function readAtMost(
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
