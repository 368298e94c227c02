import type { inferInput } from "@trpc/tanstack-react-query";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import type { Procedures } from "@/app/ui/trpc";

type SearchInput = Omit<inferInput<Procedures["templates"]["search"]>, "cursor" | "limit">;

export const STATE_LABELS = {
  approved: "Approved",
  pending: "Pending",
  rejected: "Rejected",
  paused: "Paused",
  disabled: "Disabled",
} as const satisfies Record<NonNullable<SearchInput["state"]>, string>;

const STATES = ["approved", "pending", "rejected", "paused", "disabled"] as const;

const parsers = {
  q: parseAsString.withDefault(""),
  channel: parseAsString,
  state: parseAsStringLiteral(STATES),
  /** The position in the list: behind which template the page begins. */
  after: parseAsString,
};

/** What the list shows: all of it stands in the URL. */
export function useTemplateFilter() {
  const [filter, set] = useQueryStates(parsers, { history: "push" });
  const { q, channel, state } = filter;
  const input: SearchInput = {
    ...(q.trim() === "" ? {} : { q }),
    ...(channel === null ? {} : { channelId: channel }),
    ...(state === null ? {} : { state }),
  };
  return {
    filter,
    input,
    isFiltered: Object.keys(input).length > 0,
    ofChannel: (id: string | null) => void set({ channel: id, after: null }),
    ofState: (name: string | null) => void set({ state: parsers.state.parse(name ?? ""), after: null }),
    /** What is searched for replaces what was, instead of each step of typing being a step back. */
    type: (text: string) => void set({ q: text, after: null }, { history: "replace" }),
    clear: () => void set({ q: "", channel: null, state: null, after: null }),
    goTo: (after: string | null) => void set({ after }),
  };
}
