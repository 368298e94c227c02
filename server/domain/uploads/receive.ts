import { WaypostError } from "@/server/platform/errors";

export interface ReceiveLimits {
  readonly bytesMax: number;
  /** Time limit for the whole file, however fast it arrives. */
  readonly timeoutMs: number;
  /** How long a file may be slower than `bytesPerSecondMin`. */
  readonly graceMs: number;
  /** Minimum average since the start, once the grace period is over. */
  readonly bytesPerSecondMin: number;
  /** The longest pause between two chunks. */
  readonly stallMs: number;
}

/** 100 MiB in this time is 1.4 Mbit/s. */
export const RECEIVE_TIMEOUT_MS = 10 * 60_000;

export const RECEIVE_LIMITS = {
  timeoutMs: RECEIVE_TIMEOUT_MS,
  graceMs: 30_000,
  // Half the speed of a slow mobile uplink.
  bytesPerSecondMin: 8 * 1024,
  stallMs: 20_000,
} as const satisfies Omit<ReceiveLimits, "bytesMax">;

const CLOSING = { headers: { Connection: "close" } } as const;
const MEBIBYTE = 1024 * 1024;

/**
 * Passes on the chunks of a file while they keep to the limits.
 * @throws WaypostError `payload_too_large`; `request_timeout` if they arrive too slowly or break off.
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
    // Releases the source: while a Node request is being iterated, nobody else can read it to its end.
    if (!isEnded) iterator.return?.().catch(() => undefined);
  }
}

/** Returns how long that many bytes may take, and the wait for the next one. */
function longestMs(bytes: number, { timeoutMs, graceMs, bytesPerSecondMin }: ReceiveLimits): number {
  return Math.min(timeoutMs, graceMs + (bytes / bytesPerSecondMin) * 1000);
}

export function fileTooLarge(bytesMax: number): WaypostError {
  return new WaypostError("payload_too_large", {
    message: `The file is larger than ${sizeInWords(bytesMax)}, the maximum that WhatsApp accepts for its type.`,
  });
}

function sizeInWords(bytes: number): string {
  return bytes < MEBIBYTE ? `${bytes / 1024} KiB` : `${bytes / MEBIBYTE} MiB`;
}

function brokenOff(cause: unknown): never {
  throw new WaypostError("request_timeout", {
    ...CLOSING,
    message: "The upload stopped before the end of the file.",
    cause,
  });
}

async function within<T>(waitMs: number, pending: Promise<T>): Promise<T> {
  // Its result after the timeout is ignored.
  pending.catch(() => undefined);
  // A chunk that is always available in time would win every race against a timer.
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
