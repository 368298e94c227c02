import type { inferInput } from "@trpc/tanstack-react-query";
import { type inferParserType, parseAsString, parseAsStringLiteral } from "nuqs";
import type { Procedures } from "@/app/ui/trpc";
import { useListFilter } from "@/app/ui/use-list-filter";

type SearchInput = Omit<inferInput<Procedures["templates"]["search"]>, "cursor" | "limit">;

export const STATE_LABELS = {
  approved: "Approved",
  pending: "Pending",
  rejected: "Rejected",
  paused: "Paused",
  disabled: "Disabled",
} as const satisfies Record<NonNullable<SearchInput["state"]>, string>;

const STATES = ["approved", "pending", "rejected", "paused", "disabled"] as const;

const parsers = {
  q: parseAsString.withDefault(""),
  channel: parseAsString,
  state: parseAsStringLiteral(STATES),
};

/** The list's filter. All of it is in the URL. */
export const useTemplateFilter = () => useListFilter(parsers, inputOf);

function inputOf({ q, channel, state }: inferParserType<typeof parsers>): SearchInput {
  return {
    ...(q.trim() === "" ? {} : { q }),
    ...(channel === null ? {} : { channelId: channel }),
    ...(state === null ? {} : { state }),
  };
}

/** Returns the state, if the name is one. */
export const stateOf = (name: string | null) => parsers.state.parse(name ?? "");
