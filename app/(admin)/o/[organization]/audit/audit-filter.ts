import type { inferInput } from "@trpc/tanstack-react-query";
import { type inferParserType, parseAsString } from "nuqs";
import { timeRangeParsers, timesOf } from "@/app/ui/time-range";
import type { Procedures } from "@/app/ui/trpc";
import { useListFilter } from "@/app/ui/use-list-filter";

type AuditInput = Omit<inferInput<Procedures["audit"]["list"]>, "cursor" | "limit">;

const parsers = {
  /** A member's id, or one of `WHO_BY_KIND`. */
  who: parseAsString,
  action: parseAsString,
  /** The kind of subject. */
  about: parseAsString,
  /** A name, an e-mail address or an id. */
  q: parseAsString.withDefault(""),
  ...timeRangeParsers,
};

type AuditFilter = inferParserType<typeof parsers>;

/** People and programs that aren’t members. */
export const WHO_BY_KIND = {
  system: "Waypost and its operators",
  key: "API keys",
} as const;

/** The list's filter. All of it is in the URL. */
export const useAuditFilter = () => useListFilter(parsers, inputOf);

function inputOf(filter: AuditFilter): AuditInput {
  const { who, action, about, q } = filter;
  return {
    ...whoOf(who),
    ...(action === null ? {} : { action }),
    ...(about === null ? {} : { subjectKind: about }),
    ...(q.trim() === "" ? {} : { q: q.trim() }),
    ...timesOf(filter),
  };
}

function whoOf(who: string | null): AuditInput {
  if (who === null) return {};
  return who === "system" || who === "key" ? { actorKind: who } : { actorKind: "member", actorId: who };
}
