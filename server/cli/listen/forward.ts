import { setTimeout as pause } from "node:timers/promises";
import { request } from "undici";
import { systemCodeOf } from "../../causes";

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
  readonly isTaken: boolean;
}

/** As long as a real endpoint has. */
const TIMEOUT_MS = 15_000;
/** A program that is just being restarted is back by the last. */
const AGAIN_AFTER_MS = [300, 1_500, 4_000] as const;

/**
 * Posts an event to a local program, and again a few times where it isn't taken. Never throws but what `stopping` is aborted
 * with.
 */
export async function forward(to: string, event: Forwarded, stopping: AbortSignal): Promise<ForwardResult> {
  for (let tries = 1; ; tries += 1) {
    const result = { ...(await post(to, event, stopping)), tries };
    const waitMs = AGAIN_AFTER_MS[tries - 1];
    if (result.isTaken || waitMs === undefined) return result;
    await pause(waitMs, undefined, { signal: stopping });
  }
}

async function post(to: string, { headers, body }: Forwarded, stopping: AbortSignal) {
  const startedAt = performance.now();
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  try {
    // Not `fetch`, which refuses ports that it takes for those of other protocols.
    const { statusCode: status, body: answer } = await request(to, {
      method: "POST",
      headers: { "Content-Type": "application/json", "User-Agent": "Waypost", ...headers },
      body,
      signal: AbortSignal.any([timeout, stopping]),
    });
    const durationMs = Math.round(performance.now() - startedAt);
    await answer.dump();
    return { status, failure: null, durationMs, isTaken: status >= 200 && status < 300 };
  } catch (error) {
    stopping.throwIfAborted();
    const durationMs = Math.round(performance.now() - startedAt);
    return { status: null, failure: failureOf(error, timeout), durationMs, isTaken: false };
  }
}

function failureOf(error: unknown, timeout: AbortSignal): string {
  if (timeout.aborted) return "no answer in time";
  const code = error instanceof Error ? systemCodeOf(error) : undefined;
  if (code === "ECONNREFUSED") return "nothing listens there";
  return code === undefined ? "no answer" : `no answer (${code})`;
}
