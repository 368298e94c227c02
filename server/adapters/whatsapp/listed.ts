/** Many times what the upstream sends in one body (1,000 updates): what lies beyond stays in the raw callback only. */
const LIST_MAX = 5_000;

/** Takes the entries of a body's lists, of all lists of one name together only so many. */
export type TakeListed = (name: string, list: unknown) => readonly unknown[];

/** @param tell told once for each list that has more. */
export function createTakeListed(tell: (problem: string) => void): TakeListed {
  const taken = new Map<string, number>();
  return (name, list) => {
    if (!Array.isArray(list)) return [];
    const free = LIST_MAX - (taken.get(name) ?? 0);
    if (list.length > free) tell(`${name} beyond the first ${LIST_MAX}`);
    const entries: readonly unknown[] = list.slice(0, free);
    taken.set(name, LIST_MAX - free + entries.length);
    return entries;
  };
}
