"use client";

import { Alert, Button, Group, Text } from "@mantine/core";
import { useQuery, type UseQueryOptions } from "@tanstack/react-query";
import type { TRPCClientErrorLike } from "@trpc/client";
import type { TRPCQueryKey } from "@trpc/tanstack-react-query";
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from "react";
import { toApiError } from "./api-error";
import type { ListTotal } from "@/server/core/paging";
import type { AppRouter } from "@/server/edge/trpc/router";
import { ClearFilters } from "./filters";
import { count as rows } from "./format";
import { placeOf, rememberPlace, tabStorage } from "./page-trail";
import { Empty, QueryState } from "./query-state";
import type { useListFilter } from "./use-list-filter";

/** The query of a list's total. All lists count alike. */
type TotalQuery = UseQueryOptions<ListTotal, TRPCClientErrorLike<AppRouter>, ListTotal, TRPCQueryKey>;

/** A total is read once for each filter, however often the list is. */
export const COUNTED_ONCE = { staleTime: Number.POSITIVE_INFINITY } as const;

/** Links from a page to other pages of the list. */
interface Ways {
  /** The cursor of the next page; null on the last page. */
  readonly next: string | null;
  readonly first?: string;
  readonly nearer?: string;
  readonly further?: string;
  /** Shown beside the links. */
  readonly note?: ReactNode;
}

type Place = Pick<ReturnType<typeof useListFilter>, "after" | "clear" | "goTo" | "toFirst"> & {
  readonly input: object;
};

/**
 * A list that is read by cursor, one page at a time, with links to the first, the previous and the next page. The
 * previous search's result is dimmed until the new response arrives. After a link, the focus is on the table.
 */
export function ListPage<T extends { readonly data: readonly unknown[] }>({
  query,
  place,
  total,
  waysFrom,
  onFirst = () => place.goTo(null),
  children,
}: Pick<ComponentProps<typeof ListState<T>>, "children"> & {
  query: ComponentProps<typeof ListState<T>>["query"] & { readonly isPlaceholderData: boolean };
  /** The list's state in the URL. */
  place: Place;
  /** Without it, the list shows no total. */
  total?: TotalQuery;
  waysFrom: (page: T) => Ways;
  onFirst?: () => void;
}) {
  const { after, clear, goTo, toFirst } = place;
  const isStale = query.isPlaceholderData;
  const isShown = !isStale && query.data !== undefined;
  const { content, moving } = useFocusAfterPaging(after, isShown);
  return (
    <ListState query={query} after={after} onLost={toFirst} onClear={clear}>
      {(page) => (
        <div ref={content} tabIndex={-1} aria-busy={isStale} style={{ opacity: isStale ? 0.6 : 1 }}>
          {children(page)}
          <PageLinks
            list={JSON.stringify(place.input)}
            after={after}
            count={page.data.length}
            total={total}
            ways={waysFrom(page)}
            isStale={isStale}
            onGo={(to) => {
              moving.current = { to };
              if (to === null) onFirst();
              else goTo(to);
            }}
          />
        </div>
      )}
    </ListState>
  );
}

/** Moves the focus to the table, and the top of the page into view, once the page that a link leads to is shown. */
function useFocusAfterPaging(after: string | null, isShown: boolean) {
  const content = useRef<HTMLDivElement>(null);
  const moving = useRef<{ readonly to: string | null } | null>(null);
  useEffect(() => {
    if (!isShown || moving.current === null || moving.current.to !== after) return;
    moving.current = null;
    window.scrollTo({ top: 0 });
    const table = content.current?.querySelector<HTMLElement>("table");
    (table ?? content.current)?.focus({ preventScroll: true });
  }, [after, isShown]);
  return { content, moving };
}

function PageLinks({
  list,
  after,
  count,
  total,
  ways: { next, first = "Newest", nearer = "Newer", further = "Older", note },
  isStale,
  onGo,
}: {
  /** Identifies the list with its filters. */
  list: string;
  after: string | null;
  /** The number of rows of this page. */
  count: number;
  total: TotalQuery | undefined;
  ways: Ways;
  /** The rows and the next page's cursor are those of the page before this one. */
  isStale: boolean;
  onGo: (cursor: string | null) => void;
}) {
  const here = placeOf(tabStorage(), list, after);
  const goFurther = (cursor: string) => {
    if (here !== null) {
      rememberPlace(tabStorage(), list, cursor, { before: after, start: here.start + count });
    }
    onGo(cursor);
  };
  return (
    <Group mt="md" gap="sm">
      {after === null ? null : (
        <Button variant="default" disabled={isStale} onClick={() => onGo(null)}>
          {first}
        </Button>
      )}
      {after === null || here === null ? null : (
        <Button variant="default" disabled={isStale} onClick={() => onGo(here.before)}>
          {nearer}
        </Button>
      )}
      {next === null ? null : (
        <Button variant="default" disabled={isStale} onClick={() => goFurther(next)}>
          {further}
        </Button>
      )}
      {here === null || count === 0 || (after === null && next === null) ? null : (
        <Text span size="sm" c="dimmed">
          {rows.format(here.start)}–{rows.format(here.start + count - 1)}
          {next === null ? ` of ${rows.format(here.start + count - 1)}` : null}
          {next === null || total === undefined ? null : <Total of={total} end={here.start + count - 1} />}
        </Text>
      )}
      {note}
    </Group>
  );
}

/** The list doesn't wait for it. @param end the number of the last row that is shown. */
function Total({ of, end }: { of: TotalQuery; end: number }) {
  const { data } = useQuery(of);
  if (data === undefined) return null;
  const isLarger = data.isMore || data.count < end;
  return ` of ${isLarger ? "at least" : "about"} ${rows.format(Math.max(data.count, end))}`;
}

/**
 * A list whose filters and position are in the URL. People keep, shorten and edit URLs: an invalid position shows the
 * first page, and an invalid filter shows how to clear it.
 */
function ListState<T>({
  query,
  after,
  onLost,
  onClear,
  children,
}: Pick<ComponentProps<typeof QueryState<T>>, "query" | "children"> & {
  /** The cursor that the page starts after; null for the first page. */
  after: string | null;
  /** Goes to the first page instead of this one. */
  onLost: () => void;
  onClear: () => void;
}) {
  const field = query.error ? toApiError(query.error).field : null;
  const isLost = after !== null && field === "cursor";
  const [wasLost, setWasLost] = useState(false);
  if (isLost && !wasLost) setWasLost(true);
  if (wasLost && !isLost && after !== null) setWasLost(false);
  useEffect(() => {
    if (isLost) onLost();
    // Once per URL.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [isLost]);
  if (isLost) return null;
  if (field !== null && field !== "cursor" && query.data === undefined) {
    return (
      <Empty title="The filters in this URL don’t match anything here">
        <p>One of the filters doesn’t exist in this organization, or the URL was cut off or changed.</p>
        <ClearFilters onClear={onClear} />
      </Empty>
    );
  }
  return (
    <div>
      <output style={{ display: "block" }}>
        {wasLost ? (
          <Alert color="yellow" variant="light" mb="sm">
            That page of the list no longer exists. This is the first page.
          </Alert>
        ) : null}
      </output>
      <QueryState query={query}>{children}</QueryState>
    </div>
  );
}
