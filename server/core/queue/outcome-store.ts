import { setTimeout as pause } from "node:timers/promises";
import { isDatabaseUnavailable } from "@/db/errors";
import { createBatcher } from "@/server/lib/batch";
import { perServices, type Services } from "../context";

const BATCH_MAX = 100;
const BATCHES_AT_ONCE_MAX = 2;
const STORE_AGAIN_MS = 500;
/** Attempts for a single outcome. After one of two conflicting outcomes is stored, the other can be stored too. */
const ALONE_TRIES_MAX = 3;

export interface OutcomeStoreOptions<Outcome> {
  /** Stores a batch in one transaction. Idempotent. */
  readonly record: (services: Services, outcomes: readonly Outcome[]) => Promise<void>;
  /** Log message for outcomes that can't be stored, and the ids that it names. */
  readonly failure: string;
  readonly idsOf: (outcome: Outcome) => object;
}

/**
 * Stores the outcomes of outbound calls. Those that end together are stored in one batch. While the database is
 * unavailable, an outcome waits in memory, so that its call isn't repeated. If a batch fails because of one outcome,
 * the outcomes are stored one by one. If one still fails, it is logged and dropped; its row then has no outcome when
 * its deadline passes. Never throws.
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
          if (services.lifecycle.isClosed()) return;
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
