"use client";

import { Choice } from "@/app/ui/choice";
import { Filters } from "@/app/ui/filters";
import { SearchField } from "@/app/ui/search-field";
import type { Channel } from "../channels/types";
import { STATE_LABELS, stateOf, type useTemplateFilter } from "./template-filter";

const STATES = Object.entries(STATE_LABELS).map(([value, label]) => ({ value, label }));

/** The filter of the list. */
export function FilterBar({
  filter: bar,
  channels,
}: {
  filter: ReturnType<typeof useTemplateFilter>;
  channels: readonly Channel[];
}) {
  const { filter, change, type, clear, isFiltered } = bar;
  return (
    <Filters label="Templates" isFiltered={isFiltered} onClear={clear}>
      <SearchField
        label="Search templates"
        placeholder="Name or words from the text"
        value={filter.q}
        onSearch={(q) => type({ q })}
        flex="1 1 16rem"
      />
      <Choice
        label="State"
        data={STATES}
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
