import type { inferInput } from "@trpc/tanstack-react-query";
import { type inferParserType, parseAsString, useQueryStates } from "nuqs";
import { useMemo } from "react";
import { ANY_TIME, timeRangeParsers, timesOf } from "@/app/ui/time-range";
import type { Procedures } from "@/app/ui/trpc";

type AuditInput = Omit<inferInput<Procedures["audit"]["list"]>, "cursor" | "limit">;

const parsers = {
  /** A member's id, or one of `WHO_BY_KIND`. */
  who: parseAsString,
  action: parseAsString,
  /** The kind of what it is about. */
  about: parseAsString,
  /** Its id. */
  id: parseAsString.withDefault(""),
  ...timeRangeParsers,
  /** The position in the list: behind which act the page begins. */
  after: parseAsString,
};

type AuditFilter = inferParserType<typeof parsers>;

/** Who isn’t a member. */
export const WHO_BY_KIND = {
  system: "Waypost and its operators",
  key: "API keys",
} as const;

const NOTHING = { who: null, action: null, about: null, id: "", ...ANY_TIME } as const;

/** What the list shows: all of it stands in the URL. */
export function useAuditFilter() {
  const [filter, set] = useQueryStates(parsers, { history: "push" });
  const { who, action, about, id, range, since, until } = filter;
  const [from, to] = [since?.getTime(), until?.getTime()];
  const input = useMemo(
    () => inputOf({ who, action, about, id, range, since, until }),
    // Times are new objects each time that the URL is read.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [who, action, about, id, range, from, to],
  );
  return {
    filter,
    input,
    isFiltered: Object.keys(input).length > 0,
    change: (part: Partial<AuditFilter>) => void set({ ...part, after: null }),
    /** What is searched for replaces what was, instead of each step of typing being a step back. */
    type: (text: string) => void set({ id: text, after: null }, { history: "replace" }),
    clear: () => void set({ ...NOTHING, after: null }),
    goTo: (after: string | null) => void set({ after }),
  };
}

function inputOf(filter: Omit<AuditFilter, "after">): AuditInput {
  const { who, action, about, id } = filter;
  return {
    ...whoOf(who),
    ...(action === null ? {} : { action }),
    ...(about === null ? {} : { subjectKind: about }),
    ...(id.trim() === "" ? {} : { subjectId: id.trim() }),
    ...timesOf(filter),
  };
}

function whoOf(who: string | null): AuditInput {
  if (who === null) return {};
  return who === "system" || who === "key" ? { actorKind: who } : { actorKind: "member", actorId: who };
}
