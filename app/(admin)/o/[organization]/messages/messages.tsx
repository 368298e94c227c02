"use client";

import { Alert, Button, Text } from "@mantine/core";
import { useSessionStorage } from "@mantine/hooks";
import { IconSend } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import { type ReactNode, useEffect, useState } from "react";
import { DataTable } from "@/app/ui/data-table";
import { ExportButton } from "@/app/ui/export-button";
import { ClearFilters } from "@/app/ui/filters";
import { ListPage } from "@/app/ui/list-page";
import { News } from "@/app/ui/held-rows";
import { Page } from "@/app/ui/admin-page";
import { Empty } from "@/app/ui/query-state";
import { Time } from "@/app/ui/time";
import { InlineLink } from "../shared/inline-link";
import { ListPanel } from "../shared/list-panel";
import { useMay, useViewer } from "../shared/viewer";
import { FilterBar, useMessageFilter } from "./message-filter";
import { FirstSteps } from "./first-steps";
import { hasArrived } from "../shared/message-state";
import { LookElsewhere } from "./look-elsewhere";
import { NotKept } from "./not-kept";
import { PausedBanner } from "./paused-banner";
import { RefusedInstead } from "./refused-instead";
import { useMessageList } from "./use-message-list";
import { inOneOrder, LISTED_COLUMNS, useRefusedBetween } from "./with-refused";

const MessagePanel = dynamic(() => import("./message-panel").then((module) => module.MessagePanel));
const StartSteps = dynamic(() => import("./start-steps").then((module) => module.StartSteps));
const TestMessage = dynamic(() =>
  import("../test-message/test-message").then((module) => module.TestMessage),
);

export function Messages() {
  const filter = useMessageFilter();
  const { organization } = useViewer();
  const [isTesting, setIsTesting] = useState(false);
  // Loaded when the dialog is first opened. Stays mounted from then on, so that it can restore the focus.
  const [wasTesting, setWasTesting] = useState(false);
  if (isTesting && !wasTesting) setWasTesting(true);
  const maySend = useMay()("messages.send");
  return (
    <Page
      title="Messages"
      lead="All messages with their delivery status and next steps. This list updates live."
      actions={
        <>
          <ExportButton list="messages" organizationId={organization.id} filter={filter.input} />
          {maySend ? (
            <Button leftSection={<IconSend size={16} aria-hidden />} onClick={() => setIsTesting(true)}>
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
      <List filter={filter} onTest={() => setIsTesting(true)} />
      <ListPanel list="/messages" param="message" title="Message">
        {(id) => <MessagePanel key={id} messageId={id} />}
      </ListPanel>
      {wasTesting ? <TestMessage isOpen={isTesting} onClose={() => setIsTesting(false)} /> : null}
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
  const { query, rows: messages, newCount } = useMessageList(input, after);
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

function NoMessages({
  searched,
  isFiltered,
  isMore,
  onClear,
  steps,
}: {
  searched: string;
  isFiltered: boolean;
  isMore: boolean;
  onClear: () => void;
  steps: ReactNode;
}) {
  if (!isFiltered) return <FirstSteps steps={steps} />;
  return (
    <Empty title={isMore ? "No matches so far" : "No matching messages"}>
      <p>
        {isMore
          ? "Few messages match so far. Older messages weren’t searched yet."
          : "Check the spelling or clear the filters."}
      </p>
      {searched === "" || isMore ? null : (
        <>
          <RefusedInstead key={searched} id={searched} />
          <LookElsewhere searched={searched} />
        </>
      )}
      <ClearFilters onClear={onClear}>Clear search and filters</ClearFilters>
    </Empty>
  );
}
