import {
  type Nullable,
  type Options,
  parseAsString,
  useQueryState,
  useQueryStates,
  type UseQueryStatesKeysMap,
  type Values,
} from "nuqs";

/** Each choice is a history entry that Back undoes. */
const STEP = { history: "push" } as const;
const POSITION = parseAsString.withOptions(STEP);

/**
 * Returns a list's filters and position. All of it is in the URL.
 * @param inputOf returns the query's input, with a member for each filter that is set.
 */
export function useListFilter<P extends UseQueryStatesKeysMap, I extends object>(
  parsers: P,
  inputOf: (filter: Values<P>) => I,
) {
  const [filter, set] = useQueryStates(parsers, STEP);
  const [after, setAfter] = useQueryState("after", POSITION);
  const input = inputOf(filter);
  const narrow = (to: Partial<Nullable<Values<P>>> | null, options: Options) => {
    void set(to, options);
    void setAfter(null, options);
  };
  return {
    filter,
    /** The position in the list: the cursor that the page starts after. */
    after,
    input,
    /** The input for the page at that position. */
    pageInput: { ...input, ...(after === null ? {} : { cursor: after }) },
    isFiltered: Object.keys(input).length > 0,
    change: (part: Partial<Nullable<Values<P>>>) => narrow(part, STEP),
    /** A new search text replaces the previous history entry, so that typing doesn't fill the history. */
    type: (part: Partial<Nullable<Values<P>>>) => narrow(part, { history: "replace" }),
    clear: () => narrow(null, STEP),
    goTo: (position: string | null) => void setAfter(position),
    /** Replaces a URL with an invalid position. */
    toFirst: () => void setAfter(null, { history: "replace" }),
  };
}
