import { lookup, Resolver } from "node:dns/promises";

/** Every address that a name has. Rejects, or answers none, when it has none. */
export type Lookup = (host: string) => Promise<readonly string[]>;

/**
 * Asks the machine's name servers, for IPv4 and IPv6; none where neither answers in time. Who asks for a name that is
 * being looked up gets the same answer.
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

/** By queries of our own: the system's lookup takes one of the few threads that files need too, for as long as it likes. */
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

/** As every program of the machine sees the name, its hosts file included. */
export const lookupBySystem: Lookup = async (host) => {
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => address);
};
