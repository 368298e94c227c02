import { Button, Group } from "@mantine/core";
import type { ComponentProps, ReactNode } from "react";
import { ListState } from "./list-state";
import type { useListFilter } from "./use-list-filter";

/** Where to go from a page. */
interface Ways {
  /** Where the next one begins; null behind the last. */
  readonly next: string | null;
  readonly first?: string;
  readonly further?: string;
  /** Stands beside the ways on. */
  readonly note?: ReactNode;
}

/**
 * A list that is read by a cursor, a page at a time, as far as it is there, with the ways to the first and to the next. What
 * another search had is dimmed until its own answer is there.
 */
export function ListPage<T>({
  query,
  place: { after, clear, goTo, toFirst },
  waysFrom,
  onFirst = () => goTo(null),
  children,
}: Pick<ComponentProps<typeof ListState<T>>, "children"> & {
  query: ComponentProps<typeof ListState<T>>["query"] & { readonly isPlaceholderData: boolean };
  /** What the address says of the list. */
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
