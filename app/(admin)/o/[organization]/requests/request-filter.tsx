"use client";

import { useQuery } from "@tanstack/react-query";
import type { inferInput } from "@trpc/tanstack-react-query";
import { type inferParserType, parseAsInteger, parseAsString } from "nuqs";
import { Choice, type ChoiceItem } from "@/app/ui/choice";
import { Filters } from "@/app/ui/filters";
import { SearchField } from "@/app/ui/search-field";
import { TimeRangeInput, timeRangeParsers, timesOf } from "@/app/ui/time-range";
import { type Procedures, useTRPC } from "@/app/ui/trpc";
import { useListFilter } from "@/app/ui/use-list-filter";
import { STALE_AFTER_A_MINUTE, useKeyChoices } from "../shared/use-choices";

type RequestInput = Omit<inferInput<Procedures["requests"]["list"]>, "cursor" | "limit">;

const parsers = {
  request: parseAsString.withDefault(""),
  client: parseAsString.withDefault(""),
  to: parseAsString.withDefault(""),
  key: parseAsString,
  code: parseAsString,
  status: parseAsInteger,
  ...timeRangeParsers,
};

type RequestFilter = inferParserType<typeof parsers>;

/** The list's filter. All of it is in the URL. */
export const useRequestFilter = () => useListFilter(parsers, inputOf);

function inputOf(filter: RequestFilter): RequestInput {
  const { request, client, to, key, code, status } = filter;
  return {
    ...(request.trim() === "" ? {} : { requestId: request.trim() }),
    ...(client === "" ? {} : { clientMessageId: client }),
    ...(to.trim() === "" ? {} : { recipient: to.trim() }),
    ...(key === null ? {} : { keyId: key }),
    ...(code === null ? {} : { code: asCode(code) }),
    ...(status === null ? {} : { status }),
    ...timesOf(filter),
  };
}

/** Guarantee: none. The procedure refuses a value that is no code, with an error. */
function asCode(text: string): RequestInput["code"] {
  return text as RequestInput["code"];
}

/** The filter of the list. */
export function FilterBar({ filter: bar }: { filter: ReturnType<typeof useRequestFilter> }) {
  const { filter, change, type, clear, isFiltered, input } = bar;
  const keys = useKeyChoices();
  const kinds =
    useQuery(useTRPC().requests.refusals.queryOptions(undefined, STALE_AFTER_A_MINUTE)).data ?? [];
  return (
    <Filters
      label="Requests"
      isFiltered={isFiltered}
      input={input}
      searchedAs="requestId"
      onClear={clear}
      search={
        <SearchField
          label="Request ID"
          value={filter.request}
          onSearch={(text) => type({ request: text })}
          flex="1 1 13rem"
        />
      }
    >
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
