import type { inferInput } from "@trpc/tanstack-react-query";
import { type inferParserType, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useMemo } from "react";
import { ANY_TIME, timeRangeParsers, timesOf } from "@/app/ui/time-range";
import type { Procedures } from "@/app/ui/trpc";

export type SearchInput = Omit<inferInput<Procedures["messages"]["search"]>, "cursor" | "limit">;

/** In the order of a message's life. */
export const STATE_LABELS = {
  queued: "Queued",
  unconfirmed: "Waiting for confirmation",
  sent: "Sent",
  delivered: "Delivered",
  read: "Read",
  failed: "Failed",
} as const satisfies Record<NonNullable<SearchInput["state"]>, string>;

const STATES = ["queued", "unconfirmed", "sent", "delivered", "read", "failed"] as const;

const parsers = {
  q: parseAsString.withDefault(""),
  state: parseAsStringLiteral(STATES),
  channel: parseAsString,
  key: parseAsString,
  error: parseAsString,
  ...timeRangeParsers,
  /** The position in the list: behind which message the page begins. */
  after: parseAsString,
};

export type MessageFilter = inferParserType<typeof parsers>;

const NOTHING = { q: "", state: null, channel: null, key: null, error: null, ...ANY_TIME } as const;

/** What the list shows: all of it stands in the URL. */
export function useMessageFilter() {
  const [filter, set] = useQueryStates(parsers, { history: "push" });
  const { q, state, channel, key, error, range, since, until } = filter;
  const [from, to] = [since?.getTime(), until?.getTime()];
  const input = useMemo(
    () => inputOf({ q, state, channel, key, error, range, since, until }),
    // Times are new objects each time that the URL is read.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [q, state, channel, key, error, range, from, to],
  );
  return {
    filter,
    input,
    isFiltered: Object.keys(input).length > 0,
    change: (part: Partial<MessageFilter>) => void set({ ...part, after: null }),
    /** What is searched for replaces what was, instead of each step of typing being a step back. */
    type: (text: string) => void set({ q: text, after: null }, { history: "replace" }),
    clear: () => void set({ ...NOTHING, after: null }),
    goTo: (after: string | null) => void set({ after }),
  };
}

function inputOf(filter: Omit<MessageFilter, "after">): SearchInput {
  const { q, state, channel, key, error } = filter;
  return {
    ...(q.trim() === "" ? {} : { q: q.trim() }),
    ...(state === null ? {} : { state }),
    ...(channel === null ? {} : { channelId: channel }),
    ...(key === null ? {} : { keyId: key }),
    ...(error === null ? {} : { errorCode: asCode(error) }),
    ...timesOf(filter),
  };
}

/** Guarantee: none. The procedure refuses what is no code, and says so. */
function asCode(text: string): SearchInput["errorCode"] {
  return text as SearchInput["errorCode"];
}
