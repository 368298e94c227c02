"use client";

import { Button, Group } from "@mantine/core";
import { Choice } from "@/app/ui/choice";
import { SearchField } from "@/app/ui/search-field";
import type { Channel } from "../channels/types";
import { STATE_LABELS, type useTemplateFilter } from "./template-filter";

const STATES = Object.entries(STATE_LABELS).map(([value, label]) => ({ value, label }));

/** What the list is narrowed by. */
export function FilterBar({
  filter: bar,
  channels,
}: {
  filter: ReturnType<typeof useTemplateFilter>;
  channels: readonly Channel[];
}) {
  const { filter, ofChannel, ofState, type, clear, isFiltered } = bar;
  return (
    <search aria-label="Templates">
      <Group gap="xs" align="flex-start">
        <SearchField
          label="Search templates"
          placeholder="Name, or words of the text"
          value={filter.q}
          onSearch={type}
          flex="1 1 16rem"
        />
        <Choice label="State" data={STATES} value={filter.state} onChange={ofState} />
        <Choice
          label="Channel"
          data={channels.map(({ id, name }) => ({ value: id, label: name }))}
          value={filter.channel}
          onChange={ofChannel}
        />
        {isFiltered ? (
          <Button variant="subtle" color="gray" onClick={clear}>
            Clear
          </Button>
        ) : null}
      </Group>
    </search>
  );
}
