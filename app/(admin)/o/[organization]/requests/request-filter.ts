import type { inferInput } from "@trpc/tanstack-react-query";
import { type inferParserType, parseAsInteger, parseAsString } from "nuqs";
import { timeRangeParsers, timesOf } from "@/app/ui/time-range";
import type { Procedures } from "@/app/ui/trpc";
import { useListFilter } from "@/app/ui/use-list-filter";

type RequestInput = Omit<inferInput<Procedures["requests"]["list"]>, "cursor" | "limit">;

const parsers = {
  request: parseAsString.withDefault(""),
  client: parseAsString.withDefault(""),
  to: parseAsString.withDefault(""),
  key: parseAsString,
  code: parseAsString,
  status: parseAsInteger,
  ...timeRangeParsers,
};

type RequestFilter = inferParserType<typeof parsers>;

/** The list's filter. All of it is in the URL. */
export const useRequestFilter = () => useListFilter(parsers, inputOf);

function inputOf(filter: RequestFilter): RequestInput {
  const { request, client, to, key, code, status } = filter;
  return {
    ...(request.trim() === "" ? {} : { requestId: request.trim() }),
    ...(client === "" ? {} : { clientMessageId: client }),
    ...(to.trim() === "" ? {} : { recipient: to.trim() }),
    ...(key === null ? {} : { keyId: key }),
    ...(code === null ? {} : { code: asCode(code) }),
    ...(status === null ? {} : { status }),
    ...timesOf(filter),
  };
}

/** Guarantee: none. The procedure refuses a value that is no code, with an error. */
function asCode(text: string): RequestInput["code"] {
  return text as RequestInput["code"];
}
