import type { inferInput } from "@trpc/tanstack-react-query";
import { type inferParserType, parseAsString, parseAsStringLiteral } from "nuqs";
import { timeRangeParsers, timesOf } from "@/app/ui/time-range";
import type { Procedures } from "@/app/ui/trpc";
import { useListFilter } from "@/app/ui/use-list-filter";

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
};

type MessageFilter = inferParserType<typeof parsers>;

/** The list's filter. All of it is in the URL. */
export const useMessageFilter = () => useListFilter(parsers, inputOf);

function inputOf(filter: MessageFilter): SearchInput {
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

/** Guarantee: none. The procedure refuses a value that is no code, with an error. */
function asCode(text: string): SearchInput["errorCode"] {
  return text as SearchInput["errorCode"];
}

/** Returns the state, if the name is one. */
export const stateOf = (name: string | null) => parsers.state.parse(name ?? "");
