/** Many times what the upstream sends in one body (1,000 updates): what lies beyond stays in the raw callback only. */
const LIST_MAX = 5_000;

/** Takes the entries of a list in a body, up to a maximum over all lists of the same name. */
export type TakeCapped = (name: string, list: unknown) => readonly unknown[];

/** @param report called once for each name whose lists have more. */
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
