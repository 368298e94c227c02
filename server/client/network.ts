/** The time limit of a try is over. */
export class TimeLimitExceeded extends Error {
  override readonly name = "TimeLimitExceeded";
}

/**
 * Runs `work` with a signal that aborts at the limit, or with the caller's signal. Returns then too, even if `work`
 * ignores it.
 * @throws TimeLimitExceeded; the reason of `signal`.
 */
export async function withTimeLimit<Result>(
  limitMs: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const ended = new Promise<never>((_, reject) => {
    controller.signal.addEventListener("abort", () => reject(reasonOf(controller.signal)));
  });
  const abort = () => controller.abort(signal?.reason);
  signal?.addEventListener("abort", abort);
  const message = `no complete answer arrived within ${limitMs / 1000} s`;
  const timer = setTimeout(() => controller.abort(new TimeLimitExceeded(message)), limitMs);
  const working = work(controller.signal);
  // Nobody waits any more for the one that comes second.
  working.catch(() => undefined);
  ended.catch(() => undefined);
  try {
    return await Promise.race([working, ended]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}

/** @throws the reason of `signal`, as soon as it aborts. */
export async function sleep(durationMs: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, durationMs);
    signal?.addEventListener("abort", end);
  });
  signal?.throwIfAborted();
}

/** What Node says if it couldn't even connect. Other platforms don't say, so that the request may have arrived. */
const NEVER_CONNECTED = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
  // The certificate wasn't trusted, so that nothing was sent.
  "CERT_HAS_EXPIRED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

/** Whether a failed `fetch` certainly sent nothing. */
export function neverConnected(error: unknown): boolean {
  const { code } = Object(Object(error).cause);
  return typeof code === "string" && NEVER_CONNECTED.has(code);
}

/** Describes a failed `fetch` in one line. Its own message often says only that it failed. */
export function describeFailure(error: unknown): string {
  const { cause } = Object(error);
  const { message, code } = Object(cause);
  return (
    [message, code, Object(error).message].find((text) => typeof text === "string" && text !== "") ??
    "it failed"
  );
}

function reasonOf(signal: AbortSignal): Error {
  return signal.reason;
}
