import { perServices, type Services } from "../context";

/** Calls out of this process, by the id of the row that each holds. */
export interface UnderWay {
  /** Does the work, and keeps the id until it has ended. */
  during<T>(services: Services, id: string, work: () => Promise<T>): Promise<T>;
  /** Of the calls that have begun, and whose outcome isn't stored yet. */
  ids(services: Services): string[];
}

/**
 * Where the database's clock jumps ahead, the time of every call that is under way seems to be over. This process knows
 * better of its own, each of which ends by the monotonic clock.
 */
export function createUnderWay(): UnderWay {
  const idsOf = perServices(() => new Set<string>());
  return {
    async during(services, id, work) {
      const ids = idsOf(services);
      ids.add(id);
      try {
        return await work();
      } finally {
        ids.delete(id);
      }
    },
    ids: (services) => [...idsOf(services)],
  };
}
