import type { Services } from "../context";

/** Maximum duration of a step. The next sweep finds the rest. */
const STEP_MS = 1_500;

/**
 * Settles what a crash or a lost wake-up can leave behind, across organizations. Safe to run in any number of processes
 * concurrently.
 */
export interface SweepStep {
  /** Name in the log. */
  readonly name: string;
  /** Settles one batch. @returns the number of settled items: more may be waiting. */
  readonly settle: (services: Services) => Promise<number>;
}

/** A step that does all of its work in one batch. */
export const atOnce = (act: (services: Services) => Promise<void>) => async (services: Services) => {
  await act(services);
  return 0;
};

/**
 * Runs a step. A step that fails must not keep the others from running, least of all the last one.
 * @returns false if the step failed, or was skipped because the process is stopping.
 */
export async function runStep(services: Services, { name, settle }: SweepStep): Promise<boolean> {
  const endsAt = performance.now() + STEP_MS;
  try {
    let settled = 1;
    while (settled > 0 && performance.now() < endsAt && !services.lifecycle.isStopping())
      settled = await settle(services);
    return !services.lifecycle.isStopping();
  } catch (error) {
    services.log.error({ err: error, step: name }, "a step of the sweep failed");
    return false;
  }
}
