import { Button } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Fragment } from "react";
import { Empty, QueryState } from "@/app/ui/query-state";
import { useNow } from "@/app/ui/time";
import { useTRPC } from "@/app/ui/trpc";
import { InlineLink } from "../shared/inline-link";
import { Act } from "./act";
import { Bubble } from "./bubble";
import styles from "./bubble.module.css";
import { Note } from "./note";
import { RefusedRequest } from "./refused-request";
import type { Conversation, Entry, MessageEntry } from "./types";
import { useJump } from "./use-jump";
import { useScrolledDown } from "./use-scrolled-down";
import { dayWords, shownTimeOf } from "./words";

const POLL_MS = 2_000;

interface Acts {
  /** Null if the viewer may not answer. */
  readonly onReply: ((entry: MessageEntry) => void) | null;
  readonly onDetails: (entry: MessageEntry) => void;
}

/** Everything that was written in a conversation, the newest at the bottom; live. */
export function Timeline({ conversation, ...acts }: Acts & { conversation: Conversation }) {
  const { timeline } = useTRPC().conversations;
  const input = { threadId: conversation.id };
  const query = useInfiniteQuery(
    timeline.infiniteQueryOptions(input, {
      getNextPageParam: ({ next_cursor: next }) => next,
      // All pages are asked again, one after the other.
      refetchInterval: ({ state }) => POLL_MS * (state.data?.pages.length ?? 1),
    }),
  );
  const pages = query.data?.pages ?? [];
  // However many pages are shown, what is new shows at once.
  const newest = useQuery(
    timeline.queryOptions(input, { refetchInterval: POLL_MS, enabled: pages.length > 1 }),
  );
  const entries = inOrder(newest.data === undefined ? pages : [newest.data, ...pages]);
  const scroller = useScrolledDown();
  const jump = useJump(query);
  const isRefusedCut = pages.some((page) => page.isRefusedCut);
  const isActsCut = pages.some((page) => page.isActsCut);
  return (
    // A region that scrolls takes the focus, so that the keyboard can scroll it.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className={styles.scroller} ref={scroller} tabIndex={0} role="log" aria-label="Messages">
      <div>
        <QueryState query={query} rows={4}>
          {() => (
            <>
              {query.hasNextPage ? (
                <div style={{ textAlign: "center" }}>
                  <Button
                    variant="default"
                    size="xs"
                    loading={query.isFetchingNextPage}
                    onClick={() => void query.fetchNextPage()}
                  >
                    Show earlier messages
                  </Button>
                </div>
              ) : null}
              {isActsCut ? (
                <p className={styles.day}>Only the latest changes of status and assignee are shown.</p>
              ) : null}
              {isRefusedCut ? (
                <p className={styles.day}>
                  Not all refused requests are shown.{" "}
                  <InlineLink to={`/requests?${new URLSearchParams({ to: conversation.id }).toString()}`}>
                    See all of them
                  </InlineLink>
                </p>
              ) : null}
              {entries.length === 0 ? <Empty title="No messages" /> : null}
              <Entries of={entries} conversation={conversation} jump={jump} {...acts} />
            </>
          )}
        </QueryState>
      </div>
    </section>
  );
}

function Entries({
  of: entries,
  conversation,
  jump,
  ...acts
}: Acts & { of: readonly Entry[]; conversation: Conversation; jump: ReturnType<typeof useJump> }) {
  const now = useNow();
  return (
    <ol className={styles.entries}>
      {entries.map((entry, place) => {
        const day = dayWords(shownTimeOf(entry), now);
        const before = entries[place - 1];
        const isFirstOfDay = before === undefined || dayWords(shownTimeOf(before), now) !== day;
        return (
          <Fragment key={entry.id}>
            {isFirstOfDay ? (
              <li className={styles.day} suppressHydrationWarning>
                {day}
              </li>
            ) : null}
            <OneEntry entry={entry} conversation={conversation} jump={jump} {...acts} />
          </Fragment>
        );
      })}
    </ol>
  );
}

function OneEntry({
  entry,
  conversation,
  jump,
  ...acts
}: Acts & { entry: Entry; conversation: Conversation; jump: ReturnType<typeof useJump> }) {
  switch (entry.kind) {
    case "message":
      return (
        <Bubble
          entry={entry}
          conversation={conversation}
          isFound={jump.foundId === entry.id}
          onJump={jump.to}
          {...acts}
        />
      );
    case "note":
      return <Note entry={entry} />;
    case "refused":
      return <RefusedRequest entry={entry} threadId={conversation.id} />;
    case "act":
      return <Act entry={entry} />;
  }
}

/** Oldest first, each once: an entry can be on two pages while they are read. The first page is the newest. */
function inOrder(pages: readonly { readonly data: readonly Entry[] }[]): readonly Entry[] {
  const oldestFirst = pages.flatMap(({ data }) => data).toReversed();
  return [...new Map(oldestFirst.map((entry) => [entry.id, entry])).values()];
}
