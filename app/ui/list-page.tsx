import { Button, Group } from "@mantine/core";
import type { ComponentProps, ReactNode } from "react";
import { ListState } from "./list-state";
import type { useListFilter } from "./use-list-filter";

/** Links from a page to other pages of the list. */
interface Ways {
  /** The cursor of the next page; null on the last page. */
  readonly next: string | null;
  readonly first?: string;
  readonly further?: string;
  /** Shown beside the links. */
  readonly note?: ReactNode;
}

/**
 * A list that is read by cursor, one page at a time, with links to the first and the next page. The previous search's
 * result is dimmed until the new response arrives.
 */
export function ListPage<T>({
  query,
  place: { after, clear, goTo, toFirst },
  waysFrom,
  onFirst = () => goTo(null),
  children,
}: Pick<ComponentProps<typeof ListState<T>>, "children"> & {
  query: ComponentProps<typeof ListState<T>>["query"] & { readonly isPlaceholderData: boolean };
  /** The list's state in the URL. */
  place: Pick<ReturnType<typeof useListFilter>, "after" | "clear" | "goTo" | "toFirst">;
  waysFrom: (page: T) => Ways;
  onFirst?: () => void;
}) {
  const isStale = query.isPlaceholderData;
  return (
    <ListState query={query} after={after} onLost={toFirst} onClear={clear}>
      {(page) => {
        const { next, first = "Newest", further = "Older", note } = waysFrom(page);
        return (
          <div aria-busy={isStale} style={{ opacity: isStale ? 0.6 : 1 }}>
            {children(page)}
            <Group mt="md" gap="sm">
              {after === null ? null : (
                <Button variant="default" onClick={onFirst}>
                  {first}
                </Button>
              )}
              {next === null ? null : (
                <Button variant="default" onClick={() => goTo(next)}>
                  {further}
                </Button>
              )}
              {note}
            </Group>
          </div>
        );
      }}
    </ListState>
  );
}
