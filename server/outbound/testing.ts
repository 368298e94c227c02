import dns from "node:dns/promises";
import { isIP } from "node:net";
import { vi } from "vitest";

/** From now on every name has these addresses, until the spy is restored. */
export function everyNameResolvesTo(...addresses: readonly string[]) {
  return vi
    .spyOn(dns, "lookup")
    .mockImplementation(
      asLookup(async () => addresses.map((address) => ({ address, family: isIP(address) }))),
    );
}

/** Guarantee: it is called with `all: true` only, for which node answers a list; the type has every overload. */
function asLookup(lookup: () => Promise<{ address: string; family: number }[]>): typeof dns.lookup {
  return lookup as unknown as typeof dns.lookup;
}
