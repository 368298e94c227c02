/** A wake-up signal. It wakes one waiter, now or when it starts to wait. */
export interface Signal {
  raise(): void;
  lower(): void;
  isRaised(): boolean;
  /** Resolves when the signal is raised, or after `timeoutMs`. */
  raised(timeoutMs: number): Promise<void>;
}

export function createSignal(): Signal {
  let isRaised = false;
  let notify: () => void = () => undefined;
  return {
    raise() {
      isRaised = true;
      notify();
    },
    lower: () => void (isRaised = false),
    isRaised: () => isRaised,
    raised(timeoutMs) {
      if (isRaised) return Promise.resolve();
      return new Promise((resolve) => {
        const timer = setTimeout(resolve, timeoutMs);
        notify = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    },
  };
}
