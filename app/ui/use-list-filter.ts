import {
  type Nullable,
  type Options,
  parseAsString,
  useQueryState,
  useQueryStates,
  type UseQueryStatesKeysMap,
  type Values,
} from "nuqs";

/** Each choice is a step that Back undoes. */
const STEP = { history: "push" } as const;
const POSITION = parseAsString.withOptions(STEP);

/**
 * What a list shows, and from where on: all of it stands in the URL.
 * @param inputOf what the list is asked for, which has a member for each filter that is set.
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
    /** The position in the list: behind which row the page begins. */
    after,
    input,
    /** What the page from there on is asked for. */
    pageInput: { ...input, ...(after === null ? {} : { cursor: after }) },
    isFiltered: Object.keys(input).length > 0,
    change: (part: Partial<Nullable<Values<P>>>) => narrow(part, STEP),
    /** What is searched for replaces what was, instead of each step of typing being a step back. */
    type: (part: Partial<Nullable<Values<P>>>) => narrow(part, { history: "replace" }),
    clear: () => narrow(null, STEP),
    goTo: (position: string | null) => void setAfter(position),
    /** In place of an address that leads nowhere. */
    toFirst: () => void setAfter(null, { history: "replace" }),
  };
}
