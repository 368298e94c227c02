"use client";

import { Anchor, Code, Stack, Text } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type Column, DataTable, Whole, WholeTime } from "@/app/ui/data-table";
import { ExportButton } from "@/app/ui/export-button";
import { NoMatches } from "@/app/ui/filters";
import { COUNTED_ONCE, ListPage } from "@/app/ui/list-page";
import { Page } from "@/app/ui/admin-page";
import { PageLink } from "@/app/ui/page-link";
import { Empty } from "@/app/ui/query-state";
import { Section } from "@/app/ui/section";
import { exactTime } from "@/app/ui/time";
import { useTRPC } from "@/app/ui/trpc";
import { Words } from "@/app/ui/words";
import { ListPanel } from "../shared/list-panel";
import { useListPath, useViewer } from "../shared/viewer";
import { AcceptedMessage } from "./accepted-message";
import { InlineLink } from "../shared/inline-link";
import { FilterBar, requestName, shortRoute, useRequestFilter } from "./request-filter";
import { type RefusedRequest, type RequestPage, StatusTag } from "./refused-request";
import { RequestPanel } from "./request-panel";
import { RouteSummary } from "./route-summary";

const COLUMNS: Column<RefusedRequest>[] = [
  { head: "Error", cell: (row) => <Refusal of={row} /> },
  { head: "Status", cell: (row) => <StatusTag status={row.status} /> },
  { head: "Request", cell: ({ method, route }) => <Code>{shortRoute(requestName(method, route))}</Code> },
  { head: "Key", cell: ({ key }) => <Whole>{key.name}</Whole> },
  { head: "Time", cell: ({ at }) => <WholeTime at={at} /> },
];

function Refusal({ of: { requestId, code, field, explanation, clientMessageId } }: { of: RefusedRequest }) {
  const path = useListPath();
  return (
    <Stack gap={2} maw="26rem">
      <Anchor inherit component={PageLink} href={path(`/requests/${requestId}`)} scroll={false}>
        {code}
        {field === null ? null : ` at ${field}`}
      </Anchor>
      {explanation === null ? null : (
        <Text span c="dimmed" fz="0.8125rem" fw={400}>
          <Words>{`${explanation.message} ${explanation.nextStep}`}</Words>
        </Text>
      )}
      {clientMessageId === null ? null : (
        <Text span c="dimmed" fz="0.8125rem" ff="monospace" fw={400} lineClamp={1}>
          {clientMessageId}
        </Text>
      )}
    </Stack>
  );
}

export function Requests() {
  const filter = useRequestFilter();
  const { organization } = useViewer();
  return (
    <Page
      title="API log"
      lead="How many API requests succeeded and how many were refused, and each refused request. Counts are kept for 30 days, refused requests for seven. Request bodies aren’t stored."
      actions={<ExportButton list="requests" organizationId={organization.id} filter={filter.input} />}
    >
      <FilterBar filter={filter} />
      {filter.isForCounts ? <RouteSummary filter={filter} /> : null}
      <Section title="Refused requests">
        {filter.filter.outcome === "succeeded" ? <OnlyCounted /> : <List filter={filter} />}
      </Section>
      <ListPanel list="/requests" param="request" title="Refused request">
        {(id) => <RequestPanel key={id} requestId={id} />}
      </ListPanel>
    </Page>
  );
}

function OnlyCounted() {
  return (
    <Text size="sm" c="dimmed">
      Hidden by the filter. Successful requests are counted, but not stored individually. Each accepted
      message is under <InlineLink to="/messages">Messages</InlineLink>.
    </Text>
  );
}

/** New refusals appear on the first page at this interval. */
const POLL_MS = 5_000;

function List({ filter }: { filter: ReturnType<typeof useRequestFilter> }) {
  const { after, input, pageInput, isFiltered, clear } = filter;
  const trpc = useTRPC();
  const query = useQuery(
    trpc.requests.list.queryOptions(pageInput, {
      placeholderData: keepPreviousData,
      refetchInterval: after === null ? POLL_MS : false,
    }),
  );
  return (
    <ListPage
      query={query}
      place={filter}
      total={trpc.requests.count.queryOptions(input, COUNTED_ONCE)}
      waysFrom={({ data, next_cursor: next }) => ({
        next,
        further: data.length === 0 ? "Search older" : "Older",
      })}
    >
      {({ data, next_cursor: next, omitted }) => (
        <>
          {data.length === 0 ? (
            <NoRequests
              requestId={input.requestId ?? ""}
              clientMessageId={input.clientMessageId ?? ""}
              isFiltered={isFiltered}
              isMore={next !== null}
              onClear={clear}
            />
          ) : (
            <DataTable
              caption="Refused requests, newest first"
              columns={COLUMNS}
              rows={data}
              rowKey={({ requestId }) => requestId}
            />
          )}
          <Omitted hours={omitted} ofPerson={input.recipient !== undefined} />
        </>
      )}
    </ListPage>
  );
}

/** Says that only some of the many rejected requests within a minute are stored. All are counted. */
function Omitted({ hours, ofPerson }: { hours: RequestPage["omitted"]; ofPerson: boolean }) {
  if (hours.length === 0) return null;
  return (
    <Stack gap={2} mt="sm" component="ul" p={0} style={{ listStyle: "none" }}>
      {hours.map(({ hour, count }) => (
        <Text key={hour} component="li" size="sm" c="dimmed">
          and {count.toLocaleString("en")} more in the hour from {exactTime(new Date(hour))} (counted, but not
          stored individually){ofPerson ? ". This may include requests to this customer." : ""}
        </Text>
      ))}
    </Stack>
  );
}

function NoRequests({
  requestId,
  clientMessageId,
  isFiltered,
  isMore,
  onClear,
}: {
  requestId: string;
  clientMessageId: string;
  isFiltered: boolean;
  isMore: boolean;
  onClear: () => void;
}) {
  if (!isFiltered) {
    return (
      <Empty title="No refused requests">
        Refused API requests appear here within a second or two. They are kept for seven days.
      </Empty>
    );
  }
  return (
    <NoMatches
      noun="requests"
      isMore={isMore}
      advice="Refused requests are kept for seven days. Requests with an unknown key aren’t kept."
      onClear={onClear}
    >
      <AcceptedMessage id={requestId} of="request id" />
      <AcceptedMessage id={clientMessageId} of="client_message_id" />
    </NoMatches>
  );
}
