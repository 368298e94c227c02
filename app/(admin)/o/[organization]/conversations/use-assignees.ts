import { useInfiniteQuery } from "@tanstack/react-query";
import type { ChoiceItem } from "@/app/ui/choice";
import { useTRPC } from "@/app/ui/trpc";
import { useAllPages } from "@/app/ui/use-all-pages";
import { STALE_AFTER_A_MINUTE } from "../shared/use-choices";

/** The maximum length of a page. */
const PAGE_LENGTH = "100";

/** Returns the members to whom conversations can be assigned, as choices. */
export function useAssigneeChoices(): ChoiceItem[] {
  const query = useInfiniteQuery(
    useTRPC().conversations.assignees.infiniteQueryOptions(
      { limit: PAGE_LENGTH },
      { ...STALE_AFTER_A_MINUTE, getNextPageParam: ({ next_cursor: next }) => next },
    ),
  );
  return useAllPages(query).map(({ id, name, isYou }) => ({
    value: id,
    label: isYou ? `${name} (you)` : name,
  }));
}
