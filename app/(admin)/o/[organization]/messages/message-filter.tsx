"use client";

import { useQuery } from "@tanstack/react-query";
import type { inferInput } from "@trpc/tanstack-react-query";
import { type inferParserType, parseAsString, parseAsStringLiteral } from "nuqs";
import { Choice } from "@/app/ui/choice";
import { Filters } from "@/app/ui/filters";
import { SearchField } from "@/app/ui/search-field";
import { TimeRangeInput, timeRangeParsers, timesOf } from "@/app/ui/time-range";
import { type Procedures, useTRPC } from "@/app/ui/trpc";
import { useListFilter } from "@/app/ui/use-list-filter";
import { STALE_AFTER_A_MINUTE, useChannelChoices, useKeyChoices } from "../shared/use-choices";

export type SearchInput = Omit<inferInput<Procedures["messages"]["search"]>, "cursor" | "limit">;

/** In the order of a message's life. */
const STATE_LABELS = {
  queued: "Queued",
  unconfirmed: "Waiting for confirmation",
  sent: "Sent",
  delivered: "Delivered",
  read: "Read",
  failed: "Failed",
} as const satisfies Record<NonNullable<SearchInput["state"]>, string>;

const STATE_CHOICES = Object.entries(STATE_LABELS).map(([value, label]) => ({ value, label }));
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
const stateOf = (name: string | null) => parsers.state.parse(name ?? "");

/** The filter of the list. */
export function FilterBar({ filter: bar }: { filter: ReturnType<typeof useMessageFilter> }) {
  const { filter, change, type, clear, isFiltered, input } = bar;
  const channels = useChannelChoices();
  const keys = useKeyChoices();
  const codes =
    useQuery(useTRPC().messages.failures.queryOptions(undefined, STALE_AFTER_A_MINUTE)).data ?? [];
  return (
    <Filters
      label="Messages"
      isFiltered={isFiltered}
      input={input}
      searchedAs="q"
      onClear={clear}
      search={
        <SearchField
          label="Search messages"
          placeholder="Number, message ID, client_message_id, request ID or wamid"
          value={filter.q}
          onSearch={(q) => type({ q })}
          flex="1 1 100%"
        />
      }
    >
      <Choice
        label="State"
        data={STATE_CHOICES}
        value={filter.state}
        onChange={(state) => change({ state: stateOf(state) })}
      />
      <Choice
        label="Channel"
        data={channels}
        value={filter.channel}
        onChange={(channel) => change({ channel })}
      />
      {keys === null ? null : (
        <Choice label="Key" data={keys} value={filter.key} onChange={(key) => change({ key })} />
      )}
      <Choice
        label="Error code"
        data={codes.map(({ code }) => ({ value: code, label: code }))}
        value={filter.error}
        onChange={(error) => change({ error })}
      />
      <TimeRangeInput value={filter} onChange={change} />
    </Filters>
  );
}
