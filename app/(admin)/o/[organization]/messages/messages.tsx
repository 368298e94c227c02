"use client";

import { Alert, Button, Text } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import { type ReactNode, useState } from "react";
import { DataTable } from "@/app/ui/data-table";
import { ExportButton } from "@/app/ui/export-button";
import { ClearFilters } from "@/app/ui/filters";
import { ListPage } from "@/app/ui/list-page";
import { News } from "@/app/ui/news";
import { Page } from "@/app/ui/admin-page";
import { Empty } from "@/app/ui/query-state";
import { Time } from "@/app/ui/time";
import { ListPanel } from "../shell/list-panel";
import { useMay, useViewer } from "../shell/viewer";
import { COLUMNS } from "./columns";
import { FilterBar } from "./filter-bar";
import { FirstSteps } from "./first-steps";
import { useMessageFilter } from "./message-filter";
import { LookElsewhere } from "./look-elsewhere";
import { RefusedInstead } from "./refused-instead";
import { useMessageList } from "./use-message-list";

const MessagePanel = dynamic(() => import("./message-panel").then((module) => module.MessagePanel));
const TestMessage = dynamic(() => import("./test-message").then((module) => module.TestMessage));

export function Messages() {
  const filter = useMessageFilter();
  const { organization } = useViewer();
  const [isTesting, setIsTesting] = useState(false);
  // Loaded when it is first opened, and kept from then on, so that it gives the focus back.
  const [wasTesting, setWasTesting] = useState(false);
  if (isTesting && !wasTesting) setWasTesting(true);
  const maySend = useMay()("messages.send");
  return (
    <Page
      title="Messages"
      lead="Every message that was sent, what became of it, and what to do. The list is live."
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
      <FilterBar filter={filter} />
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
  const { query, rows, newCount } = useMessageList(input, after);
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
        further: rows.length === 0 ? "Look further back" : "Older",
        note: next === null ? null : lookedBack(lookedBackTo),
      })}
      onFirst={toNewest}
    >
      {({ next_cursor: next, isCut }) => (
        <>
          {isCut ? (
            <Alert color="yellow" variant="light" mb="sm">
              More numbers end with these digits than were looked at. Type more of the number.
            </Alert>
          ) : null}
          <News count={newCount} onShow={toNewest} />
          {rows.length === 0 ? (
            <NoMessages
              searched={filter.q.trim()}
              isFiltered={isFiltered}
              isMore={next !== null}
              onClear={clear}
              onTest={onTest}
            />
          ) : (
            <DataTable
              caption="Messages, newest first"
              columns={COLUMNS}
              rows={rows}
              rowKey={({ id }) => id}
            />
          )}
        </>
      )}
    </ListPage>
  );
}

function lookedBack(to: string | null): ReactNode {
  if (to === null) return null;
  return (
    <Text span c="dimmed" size="sm">
      Looked at messages accepted since <Time at={to} />
    </Text>
  );
}

function NoMessages({
  searched,
  isFiltered,
  isMore,
  onClear,
  onTest,
}: {
  searched: string;
  isFiltered: boolean;
  isMore: boolean;
  onClear: () => void;
  onTest: () => void;
}) {
  if (!isFiltered) return <FirstSteps onTest={onTest} />;
  return (
    <Empty title={isMore ? "None found so far" : "No message fits"}>
      <p>
        {isMore
          ? "Few messages fit. There are older ones that weren’t looked at."
          : "Check the spelling, or clear what narrows the list."}
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
