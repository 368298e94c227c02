import { setTimeout as pause } from "node:timers/promises";
import { request } from "undici";
import { whileWanted } from "@/server/lib/bounded-call";
import { systemCodeOf } from "@/server/lib/error-causes";

/** A fetched event: the signed bytes, and their headers. */
export interface Forwarded {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A local program's response to an event, at the last attempt. */
export interface ForwardResult {
  /** Null if there was no response. */
  readonly status: number | null;
  /** Short reason for a missing response. Null if there was one. */
  readonly failure: string | null;
  readonly durationMs: number;
  readonly tries: number;
  /** 2xx. */
  readonly isAccepted: boolean;
}

/** A failed attempt that isn't the last. */
export interface FailedTry extends ForwardResult {
  /** Time until the next attempt. */
  readonly againAfterMs: number;
}

/** Timeout and retries for a local program. */
export interface Patience {
  /** Time limit for the whole response to one attempt. */
  readonly timeoutMs: number;
  /** Pauses after each failed attempt, before the next one. */
  readonly againAfterMs: readonly number[];
}

/** A program has as much time as a real endpoint. A program that is being restarted is back by the last attempt. */
export const PATIENCE: Patience = { timeoutMs: 15_000, againAfterMs: [300, 1_500, 4_000] };

interface ForwardOptions {
  readonly patience: Patience;
  readonly stopping: AbortSignal;
  /** Called for each failed attempt that is retried. */
  readonly onFailedTry: (failed: FailedTry) => void;
}

/**
 * Posts an event to a local program, and retries a few times if it isn't accepted. Never throws, except the reason that
 * `stopping` was aborted with.
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
      // Not `fetch`, which refuses the ports of some other protocols.
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
