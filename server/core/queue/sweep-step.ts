import type { Services } from "../context";

/** A step takes so long at most; what it leaves, the next sweep finds. */
const STEP_MS = 1_500;

/** What a crash or a lost wake-up can leave, across organizations. Safe to take in any number of processes at once. */
export interface SweepStep {
  /** As the log names it. */
  readonly name: string;
  /** Settles a batch of what it finds. @returns how many: more may wait behind them. */
  readonly settle: (services: Services) => Promise<number>;
}

/** A step that does all of its work at once. */
export const atOnce = (act: (services: Services) => Promise<void>) => async (services: Services) => {
  await act(services);
  return 0;
};

/**
 * One that fails must not keep the others, least of all the last, from finding what is theirs.
 * @returns false when it failed, or wasn't taken because the process stops.
 */
export async function runStep(services: Services, { name, settle }: SweepStep): Promise<boolean> {
  const endsAt = performance.now() + STEP_MS;
  try {
    let settled = 1;
    while (settled > 0 && performance.now() < endsAt && !services.isStopping())
      settled = await settle(services);
    return !services.isStopping();
  } catch (error) {
    services.log.error({ err: error, step: name }, "a step of the sweep failed");
    return false;
  }
}
