/** Several times the upstream's maximum in one body (1,000 updates). The rest remains in the raw callback only. */
const LIST_MAX = 5_000;

/** Returns the entries of a list in a body, up to a maximum for all lists with the same name. */
export type TakeCapped = (name: string, list: unknown) => readonly unknown[];

/** @param report called once for each name whose lists exceed the maximum. */
export function createTakeCapped(report: (problem: string) => void): TakeCapped {
  const countByName = new Map<string, number>();
  return (name, list) => {
    if (!Array.isArray(list)) return [];
    const free = LIST_MAX - (countByName.get(name) ?? 0);
    if (list.length > free) report(`${name} beyond the first ${LIST_MAX}`);
    const entries: readonly unknown[] = list.slice(0, free);
    countByName.set(name, LIST_MAX - free + entries.length);
    return entries;
  };
}
