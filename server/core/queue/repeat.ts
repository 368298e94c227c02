import type { Services } from "@/server/core/context";

export interface Repeated {
  /** Resolves when the current run has ended. */
  stop(): Promise<void>;
}

/**
 * Runs immediately, and again after a pause that depends on how long the run took. A failure is logged once until a run
 * succeeds again.
 */
export function repeat(
  services: Services,
  againAfterMs: (tookMs: number) => number,
  act: () => Promise<void>,
): Repeated {
  let isStopped = false;
  let isFailing = false;
  let timer: NodeJS.Timeout | undefined;
  let current: Promise<void> = run();

  async function run(): Promise<void> {
    const beganAtMs = performance.now();
    try {
      await act();
      isFailing = false;
    } catch (error) {
      if (!isFailing && !isStopped) services.log.warn({ err: error }, "finding due work failed");
      isFailing = true;
    }
    const waitMs = againAfterMs(performance.now() - beganAtMs);
    if (!isStopped) timer = setTimeout(() => void (current = run()), waitMs);
  }

  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await current;
    },
  };
}
