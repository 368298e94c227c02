import { lookup, Resolver } from "node:dns/promises";

/** Resolves every address of a name. Rejects, or returns none, if there is none. */
export type Lookup = (host: string) => Promise<readonly string[]>;

/**
 * Queries the machine's name servers for IPv4 and IPv6. Returns none if neither responds in time. Concurrent lookups of
 * a name share one result.
 */
export function lookupWithin(limits: { timeoutMs: number; triesMax: number }): Lookup {
  const inFlight = new Map<string, Promise<readonly string[]>>();
  return (host) => {
    const shared = inFlight.get(host);
    if (shared) return shared;
    const fresh = resolveAll(host, limits).finally(() => inFlight.delete(host));
    inFlight.set(host, fresh);
    return fresh;
  };
}

/**
 * Uses our own queries, because the system's lookup occupies one of the few threads that files need too, without a time
 * limit.
 */
async function resolveAll(
  host: string,
  { timeoutMs, triesMax }: { timeoutMs: number; triesMax: number },
): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: timeoutMs / triesMax, tries: triesMax });
  const timer = setTimeout(() => resolver.cancel(), timeoutMs);
  const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  clearTimeout(timer);
  return found.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
}

/** Resolves the name like every program on the machine, including the hosts file. */
export const lookupBySystem: Lookup = async (host) => {
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => address);
};
