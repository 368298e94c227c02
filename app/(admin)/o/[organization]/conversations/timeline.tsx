import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Fragment } from "react";
import { Empty, QueryState } from "@/app/ui/query-state";
import { useNow } from "@/app/ui/time";
import { useTRPC } from "@/app/ui/trpc";
import { InlineLink } from "../shared/inline-link";
import { Bubble } from "./bubble";
import styles from "./bubble.module.css";
import { Note, Refused } from "./in-between";
import type { Conversation, Entry, MessageEntry } from "./types";
import { useJump } from "./use-jump";
import { useScrolledDown } from "./use-scrolled-down";
import { dayWords } from "./words";

/** For each page that is shown: all of them are asked again. */
const POLL_MS = 2_000;

interface Acts {
  /** Null if the viewer may not answer. */
  readonly onReply: ((entry: MessageEntry) => void) | null;
  readonly onDetails: (entry: MessageEntry) => void;
}

/** Everything that was said in a conversation, the newest at the bottom; live. */
export function Timeline({ conversation, ...acts }: Acts & { conversation: Conversation }) {
  const query = useInfiniteQuery(
    useTRPC().conversations.timeline.infiniteQueryOptions(
      { threadId: conversation.id },
      {
        getNextPageParam: ({ next_cursor: next }) => next,
        refetchInterval: ({ state }) => POLL_MS * (state.data?.pages.length ?? 1),
      },
    ),
  );
  const entries = inOrder(query.data?.pages ?? []);
  const scroller = useScrolledDown(entries);
  const jump = useJump(query);
  const isCut = query.data?.pages.some(({ isRefusedCut }) => isRefusedCut) ?? false;
  return (
    // A region that scrolls takes the focus, so that the keyboard can scroll it.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className={styles.scroller} ref={scroller} tabIndex={0} aria-label="Messages">
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
            {isCut ? (
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
        const day = dayWords(new Date(entry.at), now);
        const before = entries[place - 1];
        const isFirstOfDay = before === undefined || dayWords(new Date(before.at), now) !== day;
        return (
          <Fragment key={entry.id}>
            {isFirstOfDay ? (
              <li className={styles.day} suppressHydrationWarning>
                {day}
              </li>
            ) : null}
            {entry.kind === "message" ? (
              <Bubble
                entry={entry}
                conversation={conversation}
                isFound={jump.foundId === entry.id}
                onJump={jump.to}
                {...acts}
              />
            ) : entry.kind === "note" ? (
              <Note entry={entry} />
            ) : (
              <Refused entry={entry} threadId={conversation.id} />
            )}
          </Fragment>
        );
      })}
    </ol>
  );
}

/** Oldest first, each once: an entry can be on two pages while they are read. */
function inOrder(pages: readonly { readonly data: readonly Entry[] }[]): readonly Entry[] {
  const byId = new Map(pages.flatMap(({ data }) => data).map((entry) => [entry.id, entry]));
  return [...byId.values()].toReversed();
}
