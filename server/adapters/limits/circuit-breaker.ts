/** Consecutive timeouts that open the breaker. Each must have begun after the previous one had ended. */
const TIME_OUTS_MAX = 3;
/** While open, the store is tried at most this often. */
const PROBE_EVERY_MS = 1_000;

/** Stops requests from waiting for a store that has timed out repeatedly. */
export interface CircuitBreaker {
  /** True while no request waits for the store. */
  isOpen(): boolean;
  /** While open: returns true if the caller should try the store now, at most once a second. */
  isProbeDue(): boolean;
  /** @param askedAtMs when the timed-out call began, by `now`. */
  timedOut(askedAtMs: number): void;
  answered(): void;
}

/**
 * Creates a breaker. Timeouts of overlapping calls count once, so that a short stall of a busy store doesn't open it.
 */
export function createCircuitBreaker(now: () => number = () => performance.now()): CircuitBreaker {
  let timeOuts = 0;
  let lastEndedMs = Number.NEGATIVE_INFINITY;
  let lastTryMs = Number.NEGATIVE_INFINITY;
  const isOpen = () => timeOuts >= TIME_OUTS_MAX;
  return {
    isOpen,
    isProbeDue() {
      if (!isOpen() || now() - lastTryMs < PROBE_EVERY_MS) return false;
      lastTryMs = now();
      return true;
    },
    timedOut(askedAtMs) {
      if (askedAtMs < lastEndedMs) return;
      timeOuts += 1;
      lastEndedMs = now();
      lastTryMs = lastEndedMs;
    },
    answered() {
      timeOuts = 0;
    },
  };
}
