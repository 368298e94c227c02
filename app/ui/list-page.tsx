import { Button, Group } from "@mantine/core";
import type { ReactNode } from "react";

/**
 * One page of a list that is read by a cursor, with the ways to the first and to the next. What another search had is dimmed
 * until its own answer is there.
 */
export function ListPage({
  isStale,
  after,
  next,
  goTo,
  onFirst = () => goTo(null),
  first = "Newest",
  further = "Older",
  note,
  children,
}: {
  isStale: boolean;
  /** Behind which position the page begins; null for the first. */
  after: string | null;
  /** Where the next one begins; null behind the last. */
  next: string | null;
  goTo: (after: string | null) => void;
  onFirst?: () => void;
  first?: string;
  further?: string;
  /** Stands beside the ways on. */
  note?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div aria-busy={isStale} style={{ opacity: isStale ? 0.6 : 1 }}>
      {children}
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
}
