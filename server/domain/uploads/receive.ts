import { WaypostError } from "@/server/platform/errors";

export interface ReceiveLimits {
  readonly bytesMax: number;
  /** For the whole file, however fast it comes. */
  readonly timeoutMs: number;
  /** A file may be slower than `bytesPerSecondMin` for so long. */
  readonly graceMs: number;
  /** On average since the beginning, once the grace is over. */
  readonly bytesPerSecondMin: number;
  /** The longest pause between two pieces of it. */
  readonly stallMs: number;
}

/** 100 MiB in this time is 1.4 Mbit/s. */
export const RECEIVE_TIMEOUT_MS = 10 * 60_000;

export const RECEIVE_LIMITS = {
  timeoutMs: RECEIVE_TIMEOUT_MS,
  graceMs: 30_000,
  // Half of what a slow mobile uplink has.
  bytesPerSecondMin: 8 * 1024,
  stallMs: 20_000,
} as const satisfies Omit<ReceiveLimits, "bytesMax">;

const CLOSING = { headers: { Connection: "close" } } as const;
const MEBIBYTE = 1024 * 1024;

/**
 * Passes the pieces of a file on, as long as they keep to the limits.
 * @throws WaypostError `payload_too_large`; `request_timeout` when they come too slowly or break off.
 */
export async function* receive(
  source: AsyncIterable<Uint8Array>,
  limits: ReceiveLimits,
): AsyncGenerator<Uint8Array, void, void> {
  const iterator = source[Symbol.asyncIterator]();
  const startedAt = performance.now();
  let size = 0;
  let isEnded = false;
  try {
    for (;;) {
      const deadline = startedAt + longestMs(size, limits);
      const waitMs = Math.min(limits.stallMs, deadline - performance.now());
      const next = await within(waitMs, iterator.next().catch(brokenOff));
      if (next.done) {
        isEnded = true;
        return;
      }
      size += next.value.byteLength;
      if (size > limits.bytesMax) throw fileTooLarge(limits.bytesMax);
      yield next.value;
    }
  } finally {
    // Lets go of the source: a node request that is still being iterated can't be read to its end by anyone else.
    if (!isEnded) iterator.return?.().catch(() => undefined);
  }
}

/** How long so many bytes may have taken, and the next one may take. */
function longestMs(bytes: number, { timeoutMs, graceMs, bytesPerSecondMin }: ReceiveLimits): number {
  return Math.min(timeoutMs, graceMs + (bytes / bytesPerSecondMin) * 1000);
}

export function fileTooLarge(bytesMax: number): WaypostError {
  return new WaypostError("payload_too_large", {
    message: `The file is larger than ${bytesMax / MEBIBYTE} MiB, the maximum that WhatsApp accepts for its type.`,
  });
}

function brokenOff(cause: unknown): never {
  throw new WaypostError("request_timeout", {
    ...CLOSING,
    message: "The upload stopped before the end of the file.",
    cause,
  });
}

async function within<T>(waitMs: number, pending: Promise<T>): Promise<T> {
  // What comes of it after the time is up interests nobody.
  pending.catch(() => undefined);
  // A piece that is always there in time would win every race against a timer.
  if (waitMs <= 0) throw tooSlow();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooSlow()), waitMs);
  });
  return Promise.race([pending, late]).finally(() => clearTimeout(timer));
}

function tooSlow(): WaypostError {
  return new WaypostError("request_timeout", {
    ...CLOSING,
    message: "The file didn't arrive in time or arrived too slowly.",
  });
}
