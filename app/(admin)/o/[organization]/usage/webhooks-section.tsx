import { Anchor, Text } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { inferOutput } from "@trpc/tanstack-react-query";
import { type Column, Cut, Line } from "@/app/ui/data-table";
import { count, duration } from "@/app/ui/format";
import { PageLink } from "@/app/ui/page-link";
import { QueryState } from "@/app/ui/query-state";
import { Section } from "@/app/ui/section";
import { SortableTable } from "@/app/ui/sortable-table";
import { type Procedures, useTRPC } from "@/app/ui/trpc";
import { usePath } from "../shared/viewer";
import { nameOf } from "../webhooks/names";
import { momentWords } from "./point-words";
import type { PeriodInput } from "./usage-filter";

type Webhooks = inferOutput<Procedures["usage"]["webhooks"]>;
type Row = Webhooks["endpoints"][number] & Pick<Webhooks, "since" | "until">;

const REFRESH_MS = 30_000;

/** Success rate and response times of each webhook endpoint. Nothing is shown if none was called. */
export function WebhooksSection({ period, isFiltered }: { period: PeriodInput; isFiltered: boolean }) {
  const query = useQuery(
    useTRPC().usage.webhooks.queryOptions(period, {
      placeholderData: keepPreviousData,
      refetchInterval: REFRESH_MS,
    }),
  );
  if (query.data?.endpoints.every(({ attempts }) => attempts === 0)) return null;
  return (
    <Section
      title="Webhook endpoints"
      lead={
        isFiltered
          ? "For all channels and keys."
          : "Attempts to deliver the events of this period, retries included. Response times include timeouts."
      }
    >
      <QueryState query={query} rows={3}>
        {(webhooks) => <Endpoints of={webhooks} />}
      </QueryState>
    </Section>
  );
}

function Endpoints({ of: { since, until, keptSince, endpoints } }: { of: Webhooks }) {
  const notes = [
    ...(keptSince === null
      ? []
      : [`Deliveries are kept for 30 days: attempts before ${momentWords(keptSince)} aren’t included.`]),
    ...endpoints.flatMap((endpoint) =>
      endpoint.examinedSince === null
        ? []
        : [
            `${nameOf(endpoint)} had many events: only those since ${momentWords(endpoint.examinedSince)} are included.`,
          ],
    ),
  ];
  return (
    <>
      <SortableTable
        isComplete
        caption="Webhook endpoints, newest first"
        columns={COLUMNS}
        rows={endpoints.map((endpoint) => ({ ...endpoint, since, until }))}
        rowKey={({ id }) => id}
      />
      {notes.map((note) => (
        <Text key={note} size="sm" c="dimmed">
          {note}
        </Text>
      ))}
    </>
  );
}

const COLUMNS: Column<Row>[] = [
  { head: "Endpoint", share: 40, sortBy: nameOf, cell: (row) => <Name of={row} /> },
  {
    head: "Attempts",
    sortBy: ({ attempts }) => attempts,
    cell: ({ attempts }) => count.format(attempts),
    isNumber: true,
  },
  {
    head: "Succeeded",
    sortBy: ({ attempts, succeeded }) => (attempts === 0 ? null : succeeded / attempts),
    cell: ({ attempts, succeeded }) => successRate(succeeded, attempts),
    isNumber: true,
  },
  {
    head: "Median (p50)",
    sortBy: ({ p50Ms }) => p50Ms,
    cell: ({ p50Ms }) => responseTime(p50Ms),
    isNumber: true,
  },
  { head: "p95", sortBy: ({ p95Ms }) => p95Ms, cell: ({ p95Ms }) => responseTime(p95Ms), isNumber: true },
];

function Name({ of: endpoint }: { of: Row }) {
  const path = usePath();
  const { id, since, until } = endpoint;
  const deliveries = new URLSearchParams({ range: "custom", since, until });
  return (
    <Line>
      <Cut>
        <Anchor inherit component={PageLink} href={path(`/webhooks/${id}?${deliveries}`)}>
          {nameOf(endpoint)}
        </Anchor>
      </Cut>
    </Line>
  );
}

const percent = new Intl.NumberFormat("en", {
  style: "percent",
  maximumFractionDigits: 1,
  // Only all of them are 100%.
  roundingMode: "floor",
});

const successRate = (succeeded: number, attempts: number) =>
  attempts === 0 ? "–" : percent.format(succeeded / attempts);

const responseTime = (ms: number | null) => (ms === null ? "–" : ms < 1 ? "< 1 ms" : duration(ms));
