import type { inferInput } from "@trpc/tanstack-react-query";
import { type inferParserType, parseAsInteger, parseAsString, useQueryStates } from "nuqs";
import { useMemo } from "react";
import { ANY_TIME, timeRangeParsers, timesOf } from "@/app/ui/time-range";
import type { Procedures } from "@/app/ui/trpc";

export type RequestInput = Omit<inferInput<Procedures["requests"]["list"]>, "cursor" | "limit">;

const parsers = {
  request: parseAsString.withDefault(""),
  client: parseAsString.withDefault(""),
  key: parseAsString,
  code: parseAsString,
  status: parseAsInteger,
  ...timeRangeParsers,
  /** The position in the list: behind which request the page begins. */
  after: parseAsString,
};

export type RequestFilter = inferParserType<typeof parsers>;

const NOTHING = { request: "", client: "", key: null, code: null, status: null, ...ANY_TIME } as const;

/** What the list shows: all of it stands in the URL. */
export function useRequestFilter() {
  const [filter, set] = useQueryStates(parsers, { history: "push" });
  const { request, client, key, code, status, range, since, until } = filter;
  const [from, to] = [since?.getTime(), until?.getTime()];
  const input = useMemo(
    () => inputOf({ request, client, key, code, status, range, since, until }),
    // Times are new objects each time that the URL is read.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [request, client, key, code, status, range, from, to],
  );
  return {
    filter,
    input,
    isFiltered: Object.keys(input).length > 0,
    change: (part: Partial<RequestFilter>) => void set({ ...part, after: null }),
    /** What is searched for replaces what was, instead of each step of typing being a step back. */
    type: (part: Partial<RequestFilter>) => void set({ ...part, after: null }, { history: "replace" }),
    clear: () => void set({ ...NOTHING, after: null }),
    goTo: (after: string | null) => void set({ after }),
  };
}

function inputOf(filter: Omit<RequestFilter, "after">): RequestInput {
  const { request, client, key, code, status } = filter;
  return {
    ...(request.trim() === "" ? {} : { requestId: request.trim() }),
    ...(client === "" ? {} : { clientMessageId: client }),
    ...(key === null ? {} : { keyId: key }),
    ...(code === null ? {} : { code: asCode(code) }),
    ...(status === null ? {} : { status }),
    ...timesOf(filter),
  };
}

/** Guarantee: none. The procedure refuses what is no code, and says so. */
function asCode(text: string): RequestInput["code"] {
  return text as RequestInput["code"];
}
