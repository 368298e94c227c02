"use client";

import type { inferInput } from "@trpc/tanstack-react-query";
import { type inferParserType, parseAsString, parseAsStringLiteral } from "nuqs";
import { Choice } from "@/app/ui/choice";
import { Filters } from "@/app/ui/filters";
import { SearchField } from "@/app/ui/search-field";
import type { Procedures } from "@/app/ui/trpc";
import { useListFilter } from "@/app/ui/use-list-filter";
import type { Channel } from "../channels/types";

type SearchInput = Omit<inferInput<Procedures["templates"]["search"]>, "cursor" | "limit">;

const STATE_LABELS = {
  approved: "Approved",
  pending: "Pending",
  rejected: "Rejected",
  paused: "Paused",
  disabled: "Disabled",
} as const satisfies Record<NonNullable<SearchInput["state"]>, string>;

const STATE_CHOICES = Object.entries(STATE_LABELS).map(([value, label]) => ({ value, label }));
const STATES = ["approved", "pending", "rejected", "paused", "disabled"] as const;

const parsers = {
  q: parseAsString.withDefault(""),
  channel: parseAsString,
  state: parseAsStringLiteral(STATES),
};

/** The list's filter. All of it is in the URL. */
export const useTemplateFilter = () => useListFilter(parsers, inputOf);

function inputOf({ q, channel, state }: inferParserType<typeof parsers>): SearchInput {
  return {
    ...(q.trim() === "" ? {} : { q }),
    ...(channel === null ? {} : { channelId: channel }),
    ...(state === null ? {} : { state }),
  };
}

/** Returns the state, if the name is one. */
const stateOf = (name: string | null) => parsers.state.parse(name ?? "");

/** The filter of the list. */
export function FilterBar({
  filter: bar,
  channels,
}: {
  filter: ReturnType<typeof useTemplateFilter>;
  channels: readonly Channel[];
}) {
  const { filter, change, type, clear, isFiltered, input } = bar;
  return (
    <Filters
      label="Templates"
      isFiltered={isFiltered}
      input={input}
      searchedAs="q"
      onClear={clear}
      search={
        <SearchField
          label="Search templates"
          placeholder="Name or words from the text"
          value={filter.q}
          onSearch={(q) => type({ q })}
          flex="1 1 16rem"
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
        data={channels.map(({ id, name }) => ({ value: id, label: name }))}
        value={filter.channel}
        onChange={(channel) => change({ channel })}
      />
    </Filters>
  );
}
