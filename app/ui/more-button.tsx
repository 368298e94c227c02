import { Button, Group } from "@mantine/core";

interface Growing {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  fetchNextPage(): Promise<unknown>;
}

/** Loads the next page of a list below the current ones. Renders nothing if there is none. */
export function MoreButton({ query, label = "Show more" }: { query: Growing; label?: string }) {
  if (!query.hasNextPage) return null;
  return (
    <Group>
      <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {label}
      </Button>
    </Group>
  );
}
