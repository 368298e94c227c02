"use client";

import { Alert, Button, Title, VisuallyHidden } from "@mantine/core";
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { type inferParserType, parseAsString, parseAsStringLiteral } from "nuqs";
import { Choice } from "@/app/ui/choice";
import { Filters, NoMatches } from "@/app/ui/filters";
import { PageLink } from "@/app/ui/page-link";
import { Empty, QueryState } from "@/app/ui/query-state";
import { SearchField } from "@/app/ui/search-field";
import { Tag } from "@/app/ui/tag";
import { Time, useNow } from "@/app/ui/time";
import { useTRPC } from "@/app/ui/trpc";
import { useListFilter } from "@/app/ui/use-list-filter";
import { customerName } from "../shared/customer-name";
import { useChannelChoices } from "../shared/use-choices";
import { useListPath } from "../shared/viewer";
import styles from "./conversations.module.css";
import { Ticks } from "./ticks";
import type { ConversationRow } from "./types";
import { useAssigneeChoices } from "./use-assignees";
import { lineOf, remainingWords } from "./words";

const STATUSES = ["open", "closed"] as const;

const parsers = {
  q: parseAsString.withDefault(""),
  status: parseAsStringLiteral(STATUSES),
  assignee: parseAsString,
  channel: parseAsString,
};

type Filter = inferParserType<typeof parsers>;

function inputOf({ q, status, assignee, channel }: Filter) {
  return {
    ...(q.trim() === "" ? {} : { q: q.trim() }),
    ...(status === null ? {} : { status }),
    ...(assignee === null ? {} : { assignee }),
    ...(channel === null ? {} : { channelId: channel }),
  };
}

const POLL_MS = 2_000;

/** The conversations, newest message first, live. All filters are in the URL. */
export function ConversationList({
  openId,
  onOpen,
}: {
  openId: string | null;
  /** Called when a conversation is opened, by keyboard or not. */
  onOpen: (isByKeyboard: boolean) => void;
}) {
  const list = useListFilter(parsers, inputOf);
  const { input, isFiltered } = list;
  const procedure = useTRPC().conversations.list;
  const query = useInfiniteQuery(
    procedure.infiniteQueryOptions(input, {
      getNextPageParam: ({ next_cursor: next }) => next,
      placeholderData: keepPreviousData,
      // All pages are asked again, one after the other.
      refetchInterval: ({ state }) => POLL_MS * (state.data?.pages.length ?? 1),
    }),
  );
  const isLong = (query.data?.pages.length ?? 0) > 1;
  // However many pages are shown, what is new shows at once.
  const newest = useQuery(procedure.queryOptions(input, { refetchInterval: POLL_MS, enabled: isLong }));
  return (
    <section className={styles.list} aria-label="List of conversations">
      <div className={styles.listHead}>
        <Title order={openId === null ? 1 : 2} fz="xl">
          Conversations
        </Title>
        <FilterBar list={list} />
      </div>
      <QueryState query={query}>
        {({ pages }) => {
          const all = isLong && newest.data !== undefined ? [newest.data, ...pages] : pages;
          const rows = distinct(all.flatMap(({ data }) => data));
          return (
            <div className={styles.rows} aria-busy={query.isPlaceholderData}>
              {pages.some(({ isCut }) => isCut) ? (
                <Alert color="yellow" variant="light" m="sm">
                  Not all matching customers were searched. Enter more of the name or number.
                </Alert>
              ) : null}
              {rows.length === 0 ? (
                <Nothing isFiltered={isFiltered} isMore={query.hasNextPage} onClear={list.clear} />
              ) : (
                <ul className={styles.plain}>
                  {rows.map((row) => (
                    <li key={row.id}>
                      <Row of={row} isOpen={row.id === openId} onOpen={onOpen} />
                    </li>
                  ))}
                </ul>
              )}
              {query.hasNextPage ? (
                <Button
                  variant="default"
                  m="sm"
                  loading={query.isFetchingNextPage}
                  onClick={() => void query.fetchNextPage()}
                >
                  Show older
                </Button>
              ) : null}
            </div>
          );
        }}
      </QueryState>
    </section>
  );
}

function FilterBar({
  list: { filter, input, isFiltered, change, type, clear },
}: {
  list: ReturnType<typeof useListFilter<typeof parsers, ReturnType<typeof inputOf>>>;
}) {
  const { q, status, assignee, channel } = filter;
  const channels = useChannelChoices();
  const assignees = useAssigneeChoices();
  return (
    <Filters
      label="Conversations"
      isFiltered={isFiltered}
      input={input}
      searchedAs="q"
      onClear={clear}
      search={
        <SearchField
          label="Search conversations"
          placeholder="Name or number"
          value={q}
          onSearch={(text) => type({ q: text })}
          flex="1 1 100%"
        />
      }
    >
      <div className={styles.choices}>
        <Choice
          label="State"
          none="Any state"
          data={[
            { value: "open", label: "Open" },
            { value: "closed", label: "Closed" },
          ]}
          value={status}
          onChange={(value) => change({ status: parsers.status.parse(value ?? "") })}
        />
        <Choice
          label="Assignee"
          none="Any assignee"
          data={[
            { value: "me", label: "Assigned to me" },
            { value: "nobody", label: "Not assigned" },
            ...assignees,
          ]}
          value={assignee}
          onChange={(value) => change({ assignee: value })}
        />
        {channels.length > 1 ? (
          <Choice
            label="Channel"
            data={channels}
            value={channel}
            onChange={(value) => change({ channel: value })}
          />
        ) : null}
      </div>
    </Filters>
  );
}

function Row({
  of: row,
  isOpen,
  onOpen,
}: {
  of: ConversationRow;
  isOpen: boolean;
  onOpen: (isByKeyboard: boolean) => void;
}) {
  const path = useListPath();
  const now = useNow();
  const { customer, lastMessage, thread, assignee, channel } = row;
  const { state: status, window } = thread;
  const rest =
    window.expires_at === null || customer.isErased ? null : remainingWords(window.expires_at, now);
  const waits = status === "open" && lastMessage?.direction === "inbound";
  return (
    <PageLink
      href={path(`/conversations/${row.id}`)}
      // A click by keyboard has no count of clicks.
      onClick={({ detail }) => onOpen(detail === 0)}
      className={styles.row}
      aria-current={isOpen ? "page" : undefined}
      data-waits={waits || undefined}
      scroll={false}
    >
      <span className={styles.line}>
        <span className={styles.name} dir="auto">
          {customerName(customer)}
        </span>
        {lastMessage === null ? null : (
          <span className={styles.aside}>
            <Time at={lastMessage.at} />
          </span>
        )}
      </span>
      <span className={styles.line}>
        {lastMessage?.state ? <Ticks state={lastMessage.state} /> : null}
        <span className={styles.preview} dir="auto">
          {lastMessage === null ? "No messages" : lastMessage.isErased ? "Erased" : lineOf(lastMessage)}
        </span>
        {waits ? <VisuallyHidden>, waits for an answer</VisuallyHidden> : null}
      </span>
      <span className={styles.line}>
        <span className={styles.aside}>
          {channel.name}
          {assignee === null ? "" : ` · ${assignee.name ?? "a member"}`}
        </span>
        <span className={styles.tags}>
          {status === "closed" ? <Tag tone="neutral">closed</Tag> : null}
          {rest === null ? null : <Tag tone="good">{rest} left</Tag>}
        </span>
      </span>
    </PageLink>
  );
}

function Nothing({
  isFiltered,
  isMore,
  onClear,
}: {
  isFiltered: boolean;
  isMore: boolean;
  onClear: () => void;
}) {
  if (!isFiltered) {
    return (
      <Empty title="No conversations yet">
        A conversation begins with the first message to a customer, or from one.
      </Empty>
    );
  }
  return (
    <NoMatches
      noun="conversations"
      isMore={isMore}
      title="No matches"
      advice="No conversation matches the search and filters."
      onClear={onClear}
    />
  );
}

/** A conversation that moves up while pages are read can be on two of them. */
function distinct(rows: readonly ConversationRow[]): readonly ConversationRow[] {
  return [...new Map(rows.toReversed().map((row) => [row.id, row])).values()].toReversed();
}
