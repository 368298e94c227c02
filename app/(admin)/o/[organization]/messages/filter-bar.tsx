"use client";

import { useQuery } from "@tanstack/react-query";
import { Choice } from "@/app/ui/choice";
import { Filters } from "@/app/ui/filters";
import { SearchField } from "@/app/ui/search-field";
import { TimeRangeInput } from "@/app/ui/time-range";
import { useTRPC } from "@/app/ui/trpc";
import { STALE_AFTER_A_MINUTE, useChannelChoices, useKeyChoices } from "../shared/use-choices";
import { STATE_LABELS, stateOf, type useMessageFilter } from "./message-filter";

const STATES = Object.entries(STATE_LABELS).map(([value, label]) => ({ value, label }));

/** The filter of the list. */
export function FilterBar({ filter: bar }: { filter: ReturnType<typeof useMessageFilter> }) {
  const { filter, change, type, clear, isFiltered } = bar;
  const channels = useChannelChoices();
  const keys = useKeyChoices();
  const codes =
    useQuery(useTRPC().messages.failures.queryOptions(undefined, STALE_AFTER_A_MINUTE)).data ?? [];
  return (
    <Filters label="Messages" isFiltered={isFiltered} onClear={clear}>
      <SearchField
        label="Search messages"
        placeholder="Number, message ID, client_message_id, request ID or wamid"
        value={filter.q}
        onSearch={(q) => type({ q })}
        flex="1 1 100%"
      />
      <Choice
        label="State"
        data={STATES}
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
