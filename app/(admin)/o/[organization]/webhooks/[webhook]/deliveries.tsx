"use client";

import { Button, Group } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { inferInput } from "@trpc/tanstack-react-query";
import { type inferParserType, parseAsStringLiteral } from "nuqs";
import { useRef } from "react";
import { Choice } from "@/app/ui/choice";
import { DataTable } from "@/app/ui/data-table";
import { Filters, NoMatches } from "@/app/ui/filters";
import { ListPage } from "@/app/ui/list-page";
import { News, useHeldRows } from "@/app/ui/held-rows";
import { Empty } from "@/app/ui/query-state";
import { Section } from "@/app/ui/section";
import { useNow } from "@/app/ui/time";
import { momentsOf, TimeRangeInput, timeRangeParsers, timesOf } from "@/app/ui/time-range";
import { type Procedures, useTRPC } from "@/app/ui/trpc";
import { useListFilter } from "@/app/ui/use-list-filter";
import type { EndpointDetail } from "../types";
import { DELIVERY_STATE_NAMES, EVENT_TYPE_NAMES } from "../words";
import { deliveryColumns } from "./delivery-columns";

/** An endpoint's deliveries, sent or waiting. Updates live. */
export function Deliveries({ of: endpoint, onReplay }: { of: EndpointDetail; onReplay: () => void }) {
  const filter = useDeliveryFilter();
  const isDelivering = endpoint.enabled && endpoint.url !== null;
  return (
    <Section
      title="Deliveries"
      lead={`A delivery is one event for this endpoint. Every attempt has the same event ID. Deliveries are kept for ${endpoint.url === null ? "seven days" : "up to 30 days"}. This list updates live.`}
    >
      <Group justify="space-between" align="flex-start" gap="xs">
        <FilterBar filter={filter} />
        {isDelivering ? (
          <Button variant="default" onClick={onReplay}>
            Replay…
          </Button>
        ) : null}
      </Group>
      <List of={endpoint} filter={filter} />
    </Section>
  );
}

type Filter = ReturnType<typeof useDeliveryFilter>;

const asItems = (names: readonly string[]) => names.map((name) => ({ value: name, label: name }));

function FilterBar({ filter: { filter, input, change, clear, isFiltered } }: { filter: Filter }) {
  return (
    <Filters label="Deliveries" isFiltered={isFiltered} input={input} onClear={clear}>
      <Choice
        label="State"
        data={asItems(DELIVERY_STATE_NAMES)}
        value={filter.state}
        onChange={(state) => change({ state: stateOf(state) })}
      />
      <Choice
        label="Type"
        data={asItems(EVENT_TYPE_NAMES)}
        value={filter.type}
        onChange={(type) => change({ type: typeOf(type) })}
      />
      <TimeRangeInput value={filter} onChange={change} />
    </Filters>
  );
}

function List({ of: endpoint, filter: place }: { of: EndpointDetail; filter: Filter }) {
  const top = useRef<HTMLDivElement>(null);
  const { query, rows, newCount } = useDeliveryList(endpoint.id, place);
  const toNewest = () => {
    place.goTo(null);
    window.scrollTo({ top: 0 });
  };
  return (
    <div ref={top}>
      <ListPage
        query={query}
        place={place}
        waysFrom={({ next_cursor: next }) => ({
          next,
          further: rows.length === 0 ? "Search older" : "Older",
        })}
        onFirst={toNewest}
      >
        {({ next_cursor: next }) => (
          <>
            <News count={newCount} onShow={toNewest} />
            {rows.length === 0 ? (
              <NoDeliveries
                isFiltered={place.isFiltered}
                isFirst={place.after === null}
                isMore={next !== null}
                onClear={place.clear}
              />
            ) : (
              <DataTable
                caption="Deliveries, newest first"
                columns={deliveryColumns(endpoint)}
                rows={rows}
                rowKey={({ id }) => id}
              />
            )}
          </>
        )}
      </ListPage>
    </div>
  );
}

function NoDeliveries(props: {
  isFiltered: boolean;
  isFirst: boolean;
  isMore: boolean;
  onClear: () => void;
}) {
  if (!props.isFirst && !props.isMore) return <Empty title="No older deliveries" />;
  if (!props.isFiltered) {
    return (
      <Empty title="No deliveries yet">
        Send a test to check the endpoint. Each state change of a message and each customer message then
        appears here automatically.
      </Empty>
    );
  }
  return <NoMatches noun="deliveries" isMore={props.isMore} onClear={props.onClear} />;
}

type DeliveryInput = Pick<
  inferInput<Procedures["webhooks"]["deliveries"]>,
  "state" | "type" | "since" | "until"
>;

const parsers = {
  state: parseAsStringLiteral(DELIVERY_STATE_NAMES),
  type: parseAsStringLiteral(EVENT_TYPE_NAMES),
  ...timeRangeParsers,
};

/** The list's filter. All of it is in the URL. */
const useDeliveryFilter = () => useListFilter(parsers, inputOf);

function inputOf(filter: inferParserType<typeof parsers>): DeliveryInput {
  const { state, type } = filter;
  return {
    ...(state === null ? {} : { state }),
    ...(type === null ? {} : { type }),
    ...timesOf(filter),
  };
}

/** Returns the state, if the name is one. */
const stateOf = (name: string | null) => parsers.state.parse(name ?? "");
const typeOf = (name: string | null) => parsers.type.parse(name ?? "");

/** Used while the page is visible. A page in the background doesn't poll. */
const POLL_MS = 3_000;
/** Each delivery includes all its attempts. */
const PAGE_LENGTH = "25";
/** A relative time range moves in steps of this length: each step is another query. */
const STEP_MS = 60_000;

/** One page of an endpoint's deliveries, live. */
function useDeliveryList(id: string, { filter, input, after }: ReturnType<typeof useDeliveryFilter>) {
  const trpc = useTRPC();
  const now = Math.floor(useNow() / STEP_MS) * STEP_MS;
  const asked = { ...input, ...momentsOf(filter, now), id, limit: PAGE_LENGTH };
  const live = { refetchInterval: POLL_MS, placeholderData: keepPreviousData } as const;
  return useHeldRows({
    list: JSON.stringify([id, input, after]),
    isFirst: after === null,
    first: useQuery(trpc.webhooks.deliveries.queryOptions(asked, live)),
    further: useQuery(
      trpc.webhooks.deliveries.queryOptions(
        { ...asked, cursor: after ?? "" },
        { ...live, enabled: after !== null },
      ),
    ),
  });
}
