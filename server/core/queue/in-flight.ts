import { perServices, type Services } from "../context";

/** The calls that this process has in flight, by the id of the claimed row. */
export interface InFlight {
  /** Does the work, and keeps the id until the work has ended. */
  during<T>(services: Services, id: string, work: () => Promise<T>): Promise<T>;
  /** Ids of calls that have begun and whose outcome isn't stored yet. */
  ids(services: Services): string[];
}

/**
 * Tracks the calls in flight. When the database's clock jumps ahead, the deadline of every call in flight seems to have
 * passed. The process that makes the calls knows better, because it times them by the monotonic clock.
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
