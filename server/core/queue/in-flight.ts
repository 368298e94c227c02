import { perServices, type Services } from "../context";

/** Calls that this process has in flight, by the id of the row that each holds. */
export interface InFlight {
  /** Does the work, and keeps the id until it has ended. */
  during<T>(services: Services, id: string, work: () => Promise<T>): Promise<T>;
  /** Of the calls that have begun, and whose outcome isn't stored yet. */
  ids(services: Services): string[];
}

/**
 * When the database's clock jumps ahead, the deadline of every call in flight seems to have passed. The process that
 * makes the calls knows better: they end by the monotonic clock.
 */
export function createInFlight(): InFlight {
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
