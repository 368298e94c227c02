"use client";

import { useQuery } from "@tanstack/react-query";
import { Choice } from "@/app/ui/choice";
import { Filters } from "@/app/ui/filters";
import { SearchField } from "@/app/ui/search-field";
import { TimeRangeInput } from "@/app/ui/time-range";
import { useTRPC } from "@/app/ui/trpc";
import { type useAuditFilter, WHO_BY_KIND } from "./audit-filter";

/** Filter options rarely change, so loaded ones are reused for this time. */
const CHOICES_STALE_MS = 60_000;

const OTHERS = Object.entries(WHO_BY_KIND).map(([value, label]) => ({ value, label }));

/** The filter of the list. */
export function FilterBar({ filter: bar }: { filter: ReturnType<typeof useAuditFilter> }) {
  const { filter, change, type, clear, isFiltered } = bar;
  const options = useQuery(
    useTRPC().audit.options.queryOptions(undefined, { staleTime: CHOICES_STALE_MS }),
  ).data;
  const members = (options?.members ?? []).map(({ id, name, email }) => ({
    value: id,
    label: `${name} (${email})`,
  }));
  return (
    <Filters label="Audit log" isFiltered={isFiltered} onClear={clear}>
      <SearchField
        label="Search by name, e-mail address or id"
        placeholder="Name, e-mail address or id"
        value={filter.q}
        onSearch={(q) => type({ q })}
        flex="1 1 18rem"
        lengthMax={200}
      />
      <Choice
        label="Actor"
        none="Any actor"
        data={[...members, ...OTHERS]}
        value={filter.who}
        onChange={(who) => change({ who })}
      />
      <Choice
        label="Action"
        none="Any action"
        data={(options?.actions ?? []).map(({ name, words }) => ({ value: name, label: words }))}
        value={filter.action}
        onChange={(action) => change({ action })}
      />
      <Choice
        label="Resource"
        none="Any resource"
        data={(options?.subjects ?? []).map((kind) => ({ value: kind, label: kind }))}
        value={filter.about}
        onChange={(about) => change({ about })}
      />
      <TimeRangeInput value={filter} onChange={change} />
    </Filters>
  );
}
