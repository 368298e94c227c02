import type { GrowthWorld } from "./world";

/** One operation of Waypost, through its verb. */
export interface Operation {
  readonly title: string;
  /** From this number of messages on, the cost is constant: below it, the operation's own limit isn't reached. */
  readonly flatFrom?: number;
  /** Prepares without measuring; the returned function is run and measured. */
  open(world: GrowthWorld): Promise<() => Promise<unknown>>;
}

/** Size of a batch. */
export const BATCH = 5;

/** An operation without preparation. */
export const straight = (act: (world: GrowthWorld) => Promise<unknown>) => async (world: GrowthWorld) => () =>
  act(world);
