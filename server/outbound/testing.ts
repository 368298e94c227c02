import { Resolver } from "node:dns/promises";
import { isIPv4 } from "node:net";
import { vi } from "vitest";

/** From now on every name has these addresses, until the mocks are restored. @returns what notes the lookups. */
export function everyNameResolvesTo(...addresses: readonly string[]) {
  const ofFamily = (isFour: boolean) => async () => addresses.filter((address) => isIPv4(address) === isFour);
  vi.spyOn(Resolver.prototype, "resolve6").mockImplementation(asResolve(ofFamily(false)));
  return vi.spyOn(Resolver.prototype, "resolve4").mockImplementation(asResolve(ofFamily(true)));
}

/** Guarantee: it is called without options only, for which node answers texts; the type has every overload. */
function asResolve(resolve: () => Promise<string[]>): Resolver["resolve4"] & Resolver["resolve6"] {
  return resolve as unknown as Resolver["resolve4"] & Resolver["resolve6"];
}
