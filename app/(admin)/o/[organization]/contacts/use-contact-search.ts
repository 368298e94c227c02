import { type inferParserType, parseAsString } from "nuqs";
import { useListFilter } from "@/app/ui/use-list-filter";

const parsers = { q: parseAsString.withDefault("") };

/** The list's search. All of it is in the URL. */
export const useContactSearch = () => useListFilter(parsers, inputOf);

function inputOf({ q }: inferParserType<typeof parsers>): { q?: string } {
  const typed = q.trim();
  return typed === "" ? {} : { q: typed };
}
