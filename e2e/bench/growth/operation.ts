import type { GrowthWorld } from "./world";

/** One thing that Waypost does, through the verb that does it. */
export interface Operation {
  readonly title: string;
  /** Of so many messages it costs the same from then on: before, its own limit isn't reached. */
  readonly flatFrom?: number;
  /** Gets ready what isn't looked at; what it returns is run and looked at. */
  open(world: GrowthWorld): Promise<() => Promise<unknown>>;
}

/** Of what is done to several at once. */
export const BATCH = 5;

/** Without anything to get ready. */
export const straight = (act: (world: GrowthWorld) => Promise<unknown>) => async (world: GrowthWorld) => () =>
  act(world);
