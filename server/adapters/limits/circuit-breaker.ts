/** Time-outs in a row that open the breaker. Each must have begun after the one before it had ended. */
const TIME_OUTS_MAX = 3;
/** While open, the store is tried at most this often. */
const PROBE_EVERY_MS = 1_000;

/** Stops requests from waiting for a store that has timed out repeatedly. */
export interface CircuitBreaker {
  /** True while no request waits for the store. */
  isOpen(): boolean;
  /** While open: whether the caller should try the store now. True at most once a second. */
  isProbeDue(): boolean;
  /** @param askedAtMs when what timed out had begun, by `now`. */
  timedOut(askedAtMs: number): void;
  answered(): void;
}

/** Time-outs of overlapping calls count once, so that a short stall of a busy store doesn't open it. */
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
