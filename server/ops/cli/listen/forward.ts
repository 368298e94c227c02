import { setTimeout as pause } from "node:timers/promises";
import { request } from "undici";
import { whileWanted } from "@/server/lib/bounded-call";
import { systemCodeOf } from "@/server/lib/error-causes";

/** An event as it was fetched: the bytes that are signed, and the headers that go with them. */
export interface Forwarded {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What a local program made of an event, at the last try. */
export interface ForwardResult {
  /** Null where no answer came. */
  readonly status: number | null;
  /** Why not, in a word or two; null where one did. */
  readonly failure: string | null;
  readonly durationMs: number;
  readonly tries: number;
  /** 2xx. */
  readonly isAccepted: boolean;
}

/** A try that wasn't taken, and isn't the last. */
export interface FailedTry extends ForwardResult {
  /** The next one comes after so long. */
  readonly againAfterMs: number;
}

/** How a local program is waited for. */
export interface Patience {
  /** For the whole answer to one try. */
  readonly timeoutMs: number;
  /** After each try that wasn't taken, before the next one. */
  readonly againAfterMs: readonly number[];
}

/** A program has as long as a real endpoint; one that is just being restarted is back by the last try. */
export const PATIENCE: Patience = { timeoutMs: 15_000, againAfterMs: [300, 1_500, 4_000] };

interface ForwardOptions {
  readonly patience: Patience;
  readonly stopping: AbortSignal;
  /** Told of each that another follows. */
  readonly onFailedTry: (failed: FailedTry) => void;
}

/**
 * Posts an event to a local program, and again a few times where it isn't taken. Never throws but what `stopping` is aborted
 * with.
 */
export async function forward(
  to: string,
  event: Forwarded,
  { patience: { timeoutMs, againAfterMs }, stopping, onFailedTry }: ForwardOptions,
): Promise<ForwardResult> {
  for (let tries = 1; ; tries += 1) {
    const result = { ...(await post(to, event, timeoutMs, stopping)), tries };
    const waitMs = againAfterMs[tries - 1];
    if (result.isAccepted || waitMs === undefined) return result;
    onFailedTry({ ...result, againAfterMs: waitMs });
    await pause(waitMs, undefined, { signal: stopping });
  }
}

async function post(to: string, { headers, body }: Forwarded, timeoutMs: number, stopping: AbortSignal) {
  const startedAt = performance.now();
  try {
    return await whileWanted({ timeoutMs, signal: stopping }, async (signal) => {
      // Not `fetch`, which refuses ports that it takes for those of other protocols.
      const { statusCode: status, body: answer } = await request(to, {
        method: "POST",
        headers: { "Content-Type": "application/json", "User-Agent": "Waypost", ...headers },
        body,
        signal,
      });
      await answer.dump();
      signal.throwIfAborted();
      const durationMs = Math.round(performance.now() - startedAt);
      return { status, failure: null, durationMs, isAccepted: status >= 200 && status < 300 };
    });
  } catch (error) {
    stopping.throwIfAborted();
    const durationMs = Math.round(performance.now() - startedAt);
    return { status: null, failure: failureOf(error), durationMs, isAccepted: false };
  }
}

function failureOf(error: unknown): string {
  if (error instanceof DOMException && error.name === "TimeoutError") return "no answer in time";
  const code = systemCodeOf(error);
  if (code === "ECONNREFUSED") return "nothing listens there";
  return code === null ? "no answer" : `no answer (${code})`;
}
