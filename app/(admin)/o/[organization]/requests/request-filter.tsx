"use client";

import { useQuery } from "@tanstack/react-query";
import type { inferInput } from "@trpc/tanstack-react-query";
import { type inferParserType, parseAsInteger, parseAsString, parseAsStringLiteral } from "nuqs";
import { Choice, type ChoiceItem } from "@/app/ui/choice";
import { Filters } from "@/app/ui/filters";
import { BASE_PATH } from "@/app/ui/base-path";
import { SearchField } from "@/app/ui/search-field";
import { TimeRangeInput, timeRangeParsers, timesOf } from "@/app/ui/time-range";
import { type Procedures, useTRPC } from "@/app/ui/trpc";
import { useListFilter } from "@/app/ui/use-list-filter";
import { STALE_AFTER_A_MINUTE, useKeyChoices } from "../shared/use-choices";

type RequestInput = Omit<inferInput<Procedures["requests"]["list"]>, "cursor" | "limit">;

/** The page can show routes with successes only, or routes with refusals. */
const OUTCOMES = ["succeeded", "refused"] as const;

const parsers = {
  request: parseAsString.withDefault(""),
  client: parseAsString.withDefault(""),
  to: parseAsString.withDefault(""),
  key: parseAsString,
  /** Method and path, as `requestName` joins them. */
  route: parseAsString,
  outcome: parseAsStringLiteral(OUTCOMES),
  code: parseAsString,
  status: parseAsInteger,
  ...timeRangeParsers,
};

type RequestFilter = inferParserType<typeof parsers>;

export const requestName = (method: string, route: string) => `${method} ${route}`;

/** Leaves out the start that all paths of the API have. */
export const shortRoute = (text: string) => text.replace(BASE_PATH, "");

/** The page's filter. All of it is in the URL. */
export function useRequestFilter() {
  const list = useListFilter(parsers, inputOf);
  const { requestId, clientMessageId, recipient, code, status, ...summaryInput } = list.input;
  return {
    ...list,
    isFiltered: list.isFiltered || list.filter.outcome !== null,
    /** The part that counts know. */
    summaryInput,
    /** False if the filter names something that counts don't know. */
    isForCounts: [requestId, clientMessageId, recipient, code, status].every((named) => named === undefined),
  };
}

function inputOf(filter: RequestFilter): RequestInput {
  const { request, client, to, key, route, code, status } = filter;
  return {
    ...(request.trim() === "" ? {} : { requestId: request.trim() }),
    ...(client === "" ? {} : { clientMessageId: client }),
    ...(to.trim() === "" ? {} : { recipient: to.trim() }),
    ...(key === null ? {} : { keyId: key }),
    ...(route === null ? {} : routeOf(route)),
    ...(code === null ? {} : { code: asCode(code) }),
    ...(status === null ? {} : { status }),
    ...timesOf(filter),
  };
}

/** Text of another form matches nothing. */
function routeOf(name: string): { method: string; route: string } {
  const [method = "", ...route] = name.split(" ");
  return { method, route: route.join(" ") };
}

/** Guarantee: none. The procedure refuses a value that is no code, with an error. */
function asCode(text: string): RequestInput["code"] {
  return text as RequestInput["code"];
}

/** The filter of the list. */
export function FilterBar({ filter: bar }: { filter: ReturnType<typeof useRequestFilter> }) {
  const { filter, change, type, clear, isFiltered, input } = bar;
  const keys = useKeyChoices();
  const routes = useRouteChoices();
  const kinds =
    useQuery(useTRPC().requests.refusals.queryOptions(undefined, STALE_AFTER_A_MINUTE)).data ?? [];
  return (
    <Filters
      label="API log"
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
        label="Outcome"
        data={[
          { value: "succeeded", label: "Succeeded" },
          { value: "refused", label: "Refused" },
        ]}
        value={filter.outcome}
        onChange={(outcome) => change({ outcome: parsers.outcome.parse(outcome ?? "") })}
      />
      <Choice label="Route" data={routes} value={filter.route} onChange={(route) => change({ route })} />
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
      <TimeRangeInput value={filter} quickChoices={["1h", "24h", "7d", "30d"]} onChange={change} />
    </Filters>
  );
}

/** The routes that were requested in the last thirty days. */
function useRouteChoices(): ChoiceItem[] {
  const { data } = useQuery(
    useTRPC().requests.summary.queryOptions({ since: "PT720H" }, STALE_AFTER_A_MINUTE),
  );
  const names = (data?.routes ?? []).map(({ method, route }) => requestName(method, route));
  return names.sort().map((name) => ({ value: name, label: shortRoute(name) }));
}

function statuses(kinds: readonly { readonly status: number }[]): ChoiceItem[] {
  const known = [...new Set(kinds.map(({ status }) => status))].sort((one, other) => one - other);
  return known.map((status) => ({ value: String(status), label: String(status) }));
}
