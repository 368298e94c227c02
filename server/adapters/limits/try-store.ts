import type { LimiterStore } from "./limits";
import { LIMIT_MAX } from "./policies";

/** A subject that no key has. */
export const NOBODY = "00000000-0000-0000-0000-000000000000";

/**
 * Takes a unit of the reserved subject, and gives it back.
 * @throws the store's error, and an error if the store grants none.
 */
export async function tryStore(store: LimiterStore): Promise<void> {
  const { granted, takenSecond } = await store.take(NOBODY, "read", LIMIT_MAX, 1);
  if (granted !== 1) throw new Error("no unit was granted");
  await store.refund(NOBODY, "read", takenSecond, 1);
}
