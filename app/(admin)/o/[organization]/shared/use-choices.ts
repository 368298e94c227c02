import { useInfiniteQuery } from "@tanstack/react-query";
import type { inferOutput } from "@trpc/tanstack-react-query";
import type { ChoiceItem } from "@/app/ui/choice";
import { type Procedures, useTRPC } from "@/app/ui/trpc";
import { useAllPages } from "@/app/ui/use-all-pages";
import { useMay } from "./viewer";

export type Channel = inferOutput<Procedures["channels"]["list"]>["data"][number];

/** The maximum length of a page. */
const PAGE_LENGTH = 100;
/** Channels, keys and codes seldom change while a page is open. */
export const STALE_AFTER_A_MINUTE = { staleTime: 60_000 } as const;

/** Returns the organization's channels as choices. */
export function useChannelChoices(): ChoiceItem[] {
  return named(useChannels(STALE_AFTER_A_MINUTE).channels);
}

/** Returns the organization's keys as choices; null if the viewer may not list keys. */
export function useKeyChoices(): ChoiceItem[] | null {
  const enabled = useMay()("integrations.manage_api");
  const query = useInfiniteQuery(
    useTRPC().keys.list.infiniteQueryOptions(
      { limit: PAGE_LENGTH },
      { ...STALE_AFTER_A_MINUTE, enabled, getNextPageParam: ({ nextCursor: next }) => next },
    ),
  );
  const keys = useAllPages(query);
  return enabled ? named(keys) : null;
}

function named(things: readonly { readonly id: string; readonly name: string }[]): ChoiceItem[] {
  return things.map(({ id, name }) => ({ value: id, label: name }));
}

/** Returns all channels of the organization, and the query that reads them. */
export function useChannels(options: { readonly staleTime?: number } = {}) {
  const query = useInfiniteQuery(
    useTRPC().channels.list.infiniteQueryOptions(
      { limit: String(PAGE_LENGTH) },
      { ...options, getNextPageParam: ({ next_cursor: next }) => next },
    ),
  );
  return { query, channels: useAllPages(query) };
}
