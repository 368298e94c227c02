"use client";

import { Anchor, Button, Text } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { inferOutput } from "@trpc/tanstack-react-query";
import { useState } from "react";
import { type Column, DataTable, Line, Whole } from "@/app/ui/data-table";
import { count, share } from "@/app/ui/format";
import { Empty, QueryState } from "@/app/ui/query-state";
import { Section } from "@/app/ui/section";
import { exactTime } from "@/app/ui/time";
import { type Procedures, useTRPC } from "@/app/ui/trpc";
import { type useRequestFilter, requestName, shortRoute } from "./request-filter";

type Summary = inferOutput<Procedures["requests"]["summary"]>;
type Filter = ReturnType<typeof useRequestFilter>;
/** A row knows how to change the page's filter. */
type Row = Summary["routes"][number] & Pick<Filter, "change">;

const COLUMNS: Column<Row>[] = [
  { head: "Request", cell: (row) => <Request of={row} /> },
  { head: "Succeeded", cell: ({ succeeded }) => count.format(succeeded), isNumber: true },
  { head: "Refused", cell: ({ refused }) => count.format(refused), isNumber: true },
  {
    head: "Share refused",
    cell: ({ succeeded, refused }) => share(refused, succeeded + refused) ?? "–",
    isNumber: true,
  },
  { head: "Refusals by status", cell: (row) => <Refusals of={row} /> },
];

function Request({ of: { method, route, change } }: { of: Row }) {
  const name = requestName(method, route);
  return (
    <Whole>
      <Anchor component="button" inherit ff="monospace" onClick={() => change({ route: name })}>
        {shortRoute(name)}
      </Anchor>
    </Whole>
  );
}

function Refusals({ of: { method, route, refusals, change } }: { of: Row }) {
  if (refusals.length === 0) return "–";
  const name = requestName(method, route);
  return (
    <Line>
      {refusals.map(({ status, count: times }) => (
        <Anchor key={status} component="button" inherit onClick={() => change({ route: name, status })}>
          {status} × {count.format(times)}
        </Anchor>
      ))}
    </Line>
  );
}

/** New requests are in the counts at this interval. */
const POLL_MS = 10_000;

/** More would push the refused requests out of view. */
const ROWS_AT_FIRST = 8;

/** Counts the requests to each route. */
export function RouteSummary({ filter: { filter, summaryInput, change } }: { filter: Filter }) {
  const query = useQuery(
    useTRPC().requests.summary.queryOptions(summaryInput, {
      placeholderData: keepPreviousData,
      refetchInterval: POLL_MS,
    }),
  );
  const [isWhole, setIsWhole] = useState(false);
  const isShown = ({ succeeded, refused }: Summary["routes"][number]) =>
    filter.outcome === null || (filter.outcome === "succeeded" ? succeeded : refused) > 0;
  return (
    <Section title="Requests by route">
      <QueryState query={query} rows={3}>
        {({ routes, since }) => {
          const rows = routes.filter(isShown).map((route) => ({ ...route, change }));
          return (
            <>
              <Totals of={routes} since={since} />
              {rows.length === 0 ? (
                <Empty title="No requests">
                  Requests with a key of this organization are counted here within a few seconds.
                </Empty>
              ) : (
                <DataTable
                  caption="Requests by route, the most frequent first"
                  columns={COLUMNS}
                  rows={isWhole ? rows : rows.slice(0, ROWS_AT_FIRST)}
                  rowKey={({ method, route }) => requestName(method, route)}
                />
              )}
              {isWhole || rows.length <= ROWS_AT_FIRST ? null : (
                <Button variant="subtle" size="xs" mt="xs" onClick={() => setIsWhole(true)}>
                  Show all {rows.length} routes
                </Button>
              )}
            </>
          );
        }}
      </QueryState>
    </Section>
  );
}

function Totals({ of: routes, since }: { of: Summary["routes"]; since: string }) {
  const succeeded = routes.reduce((sum, route) => sum + route.succeeded, 0);
  const refused = routes.reduce((sum, route) => sum + route.refused, 0);
  const refusedShare = share(refused, succeeded + refused);
  return (
    <Text size="sm" c="dimmed">
      {count.format(succeeded)} succeeded and {count.format(refused)} refused
      {refusedShare === null ? "" : ` (${refusedShare})`} since {exactTime(new Date(since))}. Hours are
      counted as a whole.
    </Text>
  );
}
