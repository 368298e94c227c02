import { useLocalStorage } from "@mantine/hooks";
import { useParams } from "next/navigation";

/** Filters with a name. */
interface SavedFilter {
  readonly name: string;
  /** The query of the URL. */
  readonly search: string;
}

/** The filters that the viewer saved for a list of the organization, in this browser, and a function to replace them. */
export function useSavedFilters(list: string) {
  const { organization = "" } = useParams<Record<string, string | undefined>>();
  return useLocalStorage<readonly SavedFilter[]>({
    key: `waypost-filters:${organization}:${list}`,
    defaultValue: [],
  });
}

/** Parameters of a list's URL that are no filters: the position, the order, and an open dialog or message. */
const NO_FILTERS = ["after", "sort", "dialog", "message"];

/** Returns the query with the filters alone. */
export function filtersIn(search: string): string {
  const parameters = new URLSearchParams(search);
  for (const name of NO_FILTERS) parameters.delete(name);
  return parameters.toString();
}

/** Adds a filter. One with the same name is replaced. Filters are in the order of their names. */
export function withFilter(saved: readonly SavedFilter[], added: SavedFilter): readonly SavedFilter[] {
  return [...saved.filter(({ name }) => name !== added.name), added].toSorted((one, other) =>
    one.name.localeCompare(other.name, "en"),
  );
}
