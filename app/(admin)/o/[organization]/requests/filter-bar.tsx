"use client";

import { useQuery } from "@tanstack/react-query";
import { Choice, type ChoiceItem } from "@/app/ui/choice";
import { Filters } from "@/app/ui/filters";
import { SearchField } from "@/app/ui/search-field";
import { TimeRangeInput } from "@/app/ui/time-range";
import { useTRPC } from "@/app/ui/trpc";
import { STALE_AFTER_A_MINUTE, useKeyChoices } from "../shared/use-choices";
import type { useRequestFilter } from "./request-filter";

/** The filter of the list. */
export function FilterBar({ filter: bar }: { filter: ReturnType<typeof useRequestFilter> }) {
  const { filter, change, type, clear, isFiltered } = bar;
  const keys = useKeyChoices();
  const kinds =
    useQuery(useTRPC().requests.refusals.queryOptions(undefined, STALE_AFTER_A_MINUTE)).data ?? [];
  return (
    <Filters label="Requests" isFiltered={isFiltered} onClear={clear}>
      <SearchField
        label="Request ID"
        value={filter.request}
        onSearch={(text) => type({ request: text })}
        flex="1 1 13rem"
      />
      <SearchField
        label="client_message_id"
        value={filter.client}
        onSearch={(text) => type({ client: text })}
        isMain={false}
        flex="1 1 13rem"
      />
      <SearchField
        label="Customer’s number"
        value={filter.to}
        onSearch={(text) => type({ to: text })}
        isMain={false}
        flex="1 1 13rem"
      />
      <Choice
        label="Status"
        data={statuses(kinds)}
        value={filter.status === null ? null : String(filter.status)}
        onChange={(status) => change({ status: status === null ? null : Number(status) })}
      />
      <Choice
        label="Error code"
        data={kinds.map(({ code }) => ({ value: code, label: code }))}
        value={filter.code}
        onChange={(code) => change({ code })}
      />
      {keys === null ? null : (
        <Choice label="Key" data={keys} value={filter.key} onChange={(key) => change({ key })} />
      )}
      <TimeRangeInput value={filter} quickChoices={["1h", "24h", "7d"]} onChange={change} />
    </Filters>
  );
}

function statuses(kinds: readonly { readonly status: number }[]): ChoiceItem[] {
  const known = [...new Set(kinds.map(({ status }) => status))].sort((one, other) => one - other);
  return known.map((status) => ({ value: String(status), label: String(status) }));
}
