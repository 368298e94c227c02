/** Limits of a call, from connecting to the last byte of its response. */
export interface CallBounds {
  readonly timeoutMs: number;
  /** Aborts the call early. */
  readonly signal?: AbortSignal;
}

export class AnswerTooLarge extends Error {
  constructor(bytesMax: number) {
    super(`the answer is larger than ${bytesMax} bytes`);
  }
}

/**
 * Passes the work a signal that aborts with a `TimeoutError` when the time is up, and with its own reason when the call
 * is cancelled. It creates its own signal, because `AbortSignal.any` can lose a time limit that nothing else references
 * (nodejs/node#57736).
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

/** Returns the text of a response. @throws AnswerTooLarge as soon as it exceeds the limit. */
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
