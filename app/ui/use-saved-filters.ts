import { useLocalStorage } from "@mantine/hooks";
import { useParams } from "next/navigation";
import type { SavedFilter } from "./saved-filter-list";

/** The filters that the viewer saved for a list of the organization, in this browser, and a function to replace them. */
export function useSavedFilters(list: string) {
  const { organization = "" } = useParams<Record<string, string | undefined>>();
  return useLocalStorage<readonly SavedFilter[]>({
    key: `waypost-filters:${organization}:${list}`,
    defaultValue: [],
  });
}
