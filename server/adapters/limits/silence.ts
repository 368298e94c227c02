/** So many time-outs, each of which began after the one before it had ended, are a store's silence. */
const TIME_OUTS_MAX = 3;
/** Then it is tried so often, at most. */
const TRY_EVERY_MS = 1_000;

/** Whether a store that let requests wait in vain is still waited for. */
export interface Silence {
  /** True while nobody is to wait for the store. */
  isOn(): boolean;
  /** While it is on: whether the store is to be tried now. True once a second, for one who asks. */
  isTryDue(): boolean;
  /** @param askedAtMs when what timed out had begun, by `now`. */
  timedOut(askedAtMs: number): void;
  answered(): void;
}

/** Time-outs that run side by side are one: a moment's standstill of a busy store is no silence. */
export function createSilence(now: () => number = () => performance.now()): Silence {
  let timeOuts = 0;
  let lastEndedMs = Number.NEGATIVE_INFINITY;
  let lastTryMs = Number.NEGATIVE_INFINITY;
  const isOn = () => timeOuts >= TIME_OUTS_MAX;
  return {
    isOn,
    isTryDue() {
      if (!isOn() || now() - lastTryMs < TRY_EVERY_MS) return false;
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
