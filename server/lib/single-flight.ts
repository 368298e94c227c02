/**
 * Lets one caller at a time through per name. Callers that waited for one that succeeded go on together; where it
 * failed, the next one goes first, not all.
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
