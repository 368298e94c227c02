/**
 * Lets one caller at a time through per name. When it succeeds, all waiting callers continue together. When it fails,
 * only the next caller goes first.
 */
export function createSingleFlight() {
  const flights = new Map<string, Promise<boolean>>();
  return async function singleFlight<T>(name: string, run: () => Promise<T>): Promise<T> {
    for (let current = flights.get(name); current !== undefined; current = flights.get(name)) {
      if (await current) return run();
    }
    const result = run();
    const flight = result.then(
      () => true,
      () => false,
    );
    flights.set(name, flight);
    try {
      return await result;
    } finally {
      flights.delete(name);
    }
  };
}
