import { setTimeout as pause } from "node:timers/promises";
import { isDatabaseUnavailable } from "@/db/errors";
import { createBatcher } from "@/server/lib/batch";
import { perServices, type Services } from "../context";

const BATCH_MAX = 100;
const BATCHES_AT_ONCE_MAX = 2;
const STORE_AGAIN_MS = 500;
/** Alone, so often: two outcomes that are at odds with each other no longer are once one is stored. */
const ALONE_TRIES_MAX = 3;

export interface OutcomeStoreOptions<Outcome> {
  /** Stores a batch in one transaction. Idempotent. */
  readonly record: (services: Services, outcomes: readonly Outcome[]) => Promise<void>;
  /** What the log says where one can't be stored, and the ids that it names. */
  readonly failure: string;
  readonly idsOf: (outcome: Outcome) => object;
}

/**
 * Stores what calls out came to, those that end together in one batch. While only the database is away an outcome waits in
 * memory: what was done is not done again for that. A batch that failed for one of its outcomes is stored one by one; what
 * still fails is given up and logged: whoever waits for it finds it missing after its time. Never throws.
 */
export function createOutcomeStore<Outcome>({ record, failure, idsOf }: OutcomeStoreOptions<Outcome>) {
  const batcherOf = perServices((services) =>
    createBatcher<Outcome, void>({
      itemsMax: BATCH_MAX,
      inFlightMax: BATCHES_AT_ONCE_MAX,
      run: async (outcomes) => {
        await record(services, outcomes);
        return outcomes.map(() => undefined);
      },
    }),
  );

  return async (services: Services, outcome: Outcome): Promise<void> => {
    let store = batcherOf(services);
    for (let failures = 0; failures <= ALONE_TRIES_MAX;) {
      try {
        return await store(outcome);
      } catch (error) {
        if (isDatabaseUnavailable(error)) {
          if (services.isClosed()) return;
          await pause(STORE_AGAIN_MS);
        } else {
          failures += 1;
          services.log.error({ err: error, ...idsOf(outcome), failures }, failure);
          store = (alone) => record(services, [alone]);
        }
      }
    }
  };
}
