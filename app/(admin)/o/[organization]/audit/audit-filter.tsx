"use client";

import { useQuery } from "@tanstack/react-query";
import type { inferInput } from "@trpc/tanstack-react-query";
import { type inferParserType, parseAsString } from "nuqs";
import { Choice } from "@/app/ui/choice";
import { Filters } from "@/app/ui/filters";
import { SearchField } from "@/app/ui/search-field";
import { TimeRangeInput, timeRangeParsers, timesOf } from "@/app/ui/time-range";
import { type Procedures, useTRPC } from "@/app/ui/trpc";
import { useListFilter } from "@/app/ui/use-list-filter";
import { STALE_AFTER_A_MINUTE } from "../shared/use-choices";

type AuditInput = Omit<inferInput<Procedures["audit"]["list"]>, "cursor" | "limit">;

const parsers = {
  /** A member's id, or one of `OTHERS`. */
  who: parseAsString,
  action: parseAsString,
  /** The kind of subject. */
  about: parseAsString,
  /** A name, an email address or an id. */
  q: parseAsString.withDefault(""),
  ...timeRangeParsers,
};

type AuditFilter = inferParserType<typeof parsers>;

/** People and programs that aren’t members. */
const OTHERS = [
  { value: "system", label: "Waypost and its operators" },
  { value: "key", label: "API keys" },
];

/** The list's filter. All of it is in the URL. */
export const useAuditFilter = () => useListFilter(parsers, inputOf);

function inputOf(filter: AuditFilter): AuditInput {
  const { who, action, about, q } = filter;
  return {
    ...whoOf(who),
    ...(action === null ? {} : { action }),
    ...(about === null ? {} : { subjectKind: about }),
    ...(q.trim() === "" ? {} : { q: q.trim() }),
    ...timesOf(filter),
  };
}

function whoOf(who: string | null): AuditInput {
  if (who === null) return {};
  return who === "system" || who === "key" ? { actorKind: who } : { actorKind: "member", actorId: who };
}

/** The filter of the list. */
export function FilterBar({ filter: bar }: { filter: ReturnType<typeof useAuditFilter> }) {
  const { filter, change, type, clear, isFiltered, input } = bar;
  const options = useQuery(useTRPC().audit.options.queryOptions(undefined, STALE_AFTER_A_MINUTE)).data;
  const members = (options?.members ?? []).map(({ id, name, email }) => ({
    value: id,
    label: `${name} (${email})`,
  }));
  return (
    <Filters
      label="Audit log"
      isFiltered={isFiltered}
      input={input}
      searchedAs="q"
      onClear={clear}
      search={
        <SearchField
          label="Search by name, email address or id"
          placeholder="Name, email address or id"
          value={filter.q}
          onSearch={(q) => type({ q })}
          flex="1 1 18rem"
          lengthMax={200}
        />
      }
    >
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
