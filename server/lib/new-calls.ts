interface Hold {
  readonly ended: Promise<void>;
  readonly end: () => void;
}

let held: Hold | null = null;

/**
 * The gate of this process for new calls to WhatsApp and to webhook endpoints. It is closed only in a demo while the
 * clock is being moved, because claims and deadlines end by the clock.
 */
export const newCalls = {
  /** Resolves as soon as calls may be started. */
  async allowed(): Promise<void> {
    await held?.ended;
  },
  /** Holds calls back until `release`, but at most for `limitMs` from now. */
  hold(limitMs: number): void {
    newCalls.release();
    const { promise, resolve } = promiseWithEnd();
    const timer = setTimeout(() => newCalls.release(), limitMs);
    timer.unref();
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    held = { ended: promise, end };
  },
  release(): void {
    held?.end();
    held = null;
  },
};

function promiseWithEnd() {
  let resolve = () => {};
  const promise = new Promise<void>((end) => (resolve = end));
  return { promise, resolve };
}
