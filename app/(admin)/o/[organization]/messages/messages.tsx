"use client";

import { Alert, Button, Text } from "@mantine/core";
import { useSessionStorage } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { type ReactNode, useEffect, useState } from "react";
import { Page } from "@/app/ui/admin-page";
import { DataTable } from "@/app/ui/data-table";
import { ExportButton } from "@/app/ui/export-button";
import { News, useHeldRows } from "@/app/ui/held-rows";
import { IconSend } from "@/app/ui/icons";
import { COUNTED_ONCE, ListPage } from "@/app/ui/list-page";
import { Time } from "@/app/ui/time";
import { useTRPC } from "@/app/ui/trpc";
import { useWasOpen } from "@/app/ui/use-was-open";
import type { RequestPage } from "../requests/refused-request";
import { InlineLink } from "../shared/inline-link";
import { ListPanel } from "../shared/list-panel";
import { hasArrived } from "../shared/message-state";
import { useMay, useViewer } from "../shared/viewer";
import { FilterBar, useMessageFilter } from "./message-filter";
import { PausedBanner } from "./paused-banner";
import { inOneOrder, LISTED_COLUMNS, useRefusedBetween } from "./with-refused";

const MessagePanel = dynamic(() => import("./message-panel").then((module) => module.MessagePanel));
const NoMessages = dynamic(() => import("./no-messages").then((module) => module.NoMessages));
const StartSteps = dynamic(() => import("./start-steps").then((module) => module.StartSteps));
const TestMessage = dynamic(() =>
  import("../test-message/test-message").then((module) => module.TestMessage),
);

export function Messages() {
  const filter = useMessageFilter();
  const { organization } = useViewer();
  // The quick search opens the dialog by the URL.
  const [dialog, setDialog] = useQueryState("dialog", parseAsStringLiteral(["test"]));
  const [isAsked, setIsAsked] = useState(false);
  const maySend = useMay()("messages.send");
  const isTesting = maySend && (isAsked || dialog === "test");
  const test = () => setIsAsked(true);
  const endTest = () => {
    setIsAsked(false);
    if (dialog !== null) void setDialog(null);
  };
  const wasTesting = useWasOpen(isTesting);
  return (
    <Page
      title="Messages"
      lead="All messages with their delivery status and next steps. This list updates live."
      actions={
        <>
          <ExportButton list="messages" organizationId={organization.id} filter={filter.input} />
          {maySend ? (
            <Button leftSection={<IconSend size={16} aria-hidden />} onClick={test}>
              Send a test message
            </Button>
          ) : null}
        </>
      }
    >
      <div>
        <PausedBanner />
        <FilterBar filter={filter} />
      </div>
      <List filter={filter} onTest={test} />
      <ListPanel list="/messages" param="message" title="Message">
        {(id) => <MessagePanel key={id} messageId={id} />}
      </ListPanel>
      {wasTesting ? <TestMessage isOpen={isTesting} onClose={endTest} /> : null}
    </Page>
  );
}

function List({
  filter: place,
  onTest,
}: {
  filter: ReturnType<typeof useMessageFilter>;
  onTest: () => void;
}) {
  const { filter, after, input, isFiltered, clear, goTo } = place;
  const trpc = useTRPC();
  const { query, rows: messages, newCount } = useMessageList(place);
  const next = query.data?.next_cursor ?? null;
  const {
    refused,
    isCut: isRefusedCut,
    omitted,
  } = useRefusedBetween({
    input,
    rows: messages,
    next,
    isFirst: after === null,
  });
  const rows = inOneOrder(messages, refused);
  const isStarting = useStarting(!isFiltered && query.data !== undefined && messages.length === 0);
  const steps = (
    <StartSteps
      first={messages.findLast(hasArrived) ?? messages.at(-1)}
      onTest={onTest}
      onClose={isStarting.end}
    />
  );
  const toNewest = () => {
    goTo(null);
    window.scrollTo({ top: 0 });
  };
  return (
    <ListPage
      query={query}
      place={place}
      total={trpc.messages.count.queryOptions(input, COUNTED_ONCE)}
      waysFrom={({ next_cursor: next, lookedBackTo }) => ({
        next,
        further: rows.length === 0 ? "Search older" : "Older",
        note: next === null ? null : lookedBack(lookedBackTo),
      })}
      onFirst={toNewest}
    >
      {({ next_cursor: next, isCut }) => (
        <>
          {isCut ? (
            <Alert color="yellow" variant="light" mb="sm">
              Not all numbers that end with these digits were searched. Enter more digits.
            </Alert>
          ) : null}
          <News count={newCount} onShow={toNewest} />
          {rows.length === 0 ? (
            <NoMessages
              searched={filter.q.trim()}
              isFiltered={isFiltered}
              isMore={next !== null}
              onClear={clear}
              steps={steps}
            />
          ) : (
            <>
              {isStarting.is && !isFiltered && after === null ? steps : null}
              <DataTable
                caption={
                  refused.length === 0
                    ? "Messages, newest first"
                    : "Messages and refused requests, newest first"
                }
                columns={LISTED_COLUMNS}
                rows={rows}
                rowKey={({ id }) => id}
              />
            </>
          )}
          {isRefusedCut ? (
            <Text size="sm" mt="sm">
              Not all refused requests are shown here:{" "}
              <InlineLink to={`/requests?${new URLSearchParams({ to: filter.q }).toString()}`}>
                see all refused requests
              </InlineLink>
            </Text>
          ) : null}
          <NotKept hours={omitted} to={filter.q.trim()} />
        </>
      )}
    </ListPage>
  );
}

/** Used while the page is visible. A page in the background doesn't poll. */
const POLL_MS = 2_000;

/** One page of messages, live. */
function useMessageList({ input, after }: ReturnType<typeof useMessageFilter>) {
  const trpc = useTRPC();
  const live = { refetchInterval: POLL_MS, placeholderData: keepPreviousData } as const;
  return useHeldRows({
    list: JSON.stringify([input, after]),
    isFirst: after === null,
    first: useQuery(trpc.messages.search.queryOptions(input, live)),
    further: useQuery(
      trpc.messages.search.queryOptions(
        { ...input, cursor: after ?? "" },
        { ...live, enabled: after !== null },
      ),
    ),
  });
}

/**
 * True if this browser tab has seen the organization without any message. The first steps then stay until they are
 * hidden.
 */
function useStarting(isEmpty: boolean): { readonly is: boolean; end(): void } {
  const { organization } = useViewer();
  const [is, setIs, forget] = useSessionStorage({
    key: `waypost-first-steps:${organization.id}`,
    defaultValue: false,
  });
  useEffect(() => {
    if (isEmpty) setIs(true);
  }, [isEmpty, setIs]);
  return { is, end: forget };
}

function lookedBack(to: string | null): ReactNode {
  if (to === null) return null;
  return (
    <Text span c="dimmed" size="sm">
      Searched messages accepted since <Time at={to} />
    </Text>
  );
}

/** Says, below a customer's results, that there may be refused requests of theirs that were not stored. */
function NotKept({ hours, to }: { hours: RequestPage["omitted"]; to: string }) {
  const first = hours.at(-1);
  if (first === undefined) return null;
  const count = hours.reduce((sum, hour) => sum + hour.count, 0);
  return (
    <Text size="sm" mt="sm">
      {count === 1
        ? "One more request was refused, but not stored individually"
        : `${count.toLocaleString("en")} more requests were refused, but not stored individually`}{" "}
      since <Time at={first.hour} />. This may include requests to this customer.{" "}
      <InlineLink to={`/requests?${new URLSearchParams({ to }).toString()}`}>See counts per hour</InlineLink>
    </Text>
  );
}
