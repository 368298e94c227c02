import type { LimiterStore } from "./limits";
import { LIMIT_MAX } from "./policies";

/** Nobody's: no key has it. */
export const NOBODY = "00000000-0000-0000-0000-000000000000";

/**
 * Takes a unit that is nobody's, and gives it back.
 * @throws what the store fails with, and an error where it grants none.
 */
export async function tryStore(store: LimiterStore): Promise<void> {
  const { granted, takenSecond } = await store.take(NOBODY, "read", LIMIT_MAX, 1);
  if (granted !== 1) throw new Error("no unit was granted");
  await store.refund(NOBODY, "read", takenSecond, 1);
}
