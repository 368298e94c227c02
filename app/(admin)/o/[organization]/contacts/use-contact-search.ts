import { parseAsString, useQueryStates } from "nuqs";

const parsers = {
  q: parseAsString.withDefault(""),
  /** The position in the list: behind which contact the page begins. */
  after: parseAsString,
};

/** What the list shows: all of it stands in the URL. */
export function useContactSearch() {
  const [{ q, after }, set] = useQueryStates(parsers, { history: "push" });
  return {
    q,
    after,
    /** What is searched for replaces what was, instead of each step of typing being a step back. */
    type: (text: string) => void set({ q: text, after: null }, { history: "replace" }),
    clear: () => void set({ q: "", after: null }),
    goTo: (position: string | null) => void set({ after: position }),
  };
}
