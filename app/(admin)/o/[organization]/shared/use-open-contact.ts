import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/app/ui/trpc";
import { useMay } from "./viewer";

const CONTACTS_READ = "20";

/**
 * Returns the number of a contact who may get free text now, without the plus sign; null if there is none, or if the
 * viewer may not read contacts. `isLoading` until that is known. In a new demo, it is the customer whom the first start
 * prints: the oldest such contact.
 */
export function useOpenContact(): { readonly isLoading: boolean; readonly number: string | null } {
  const enabled = useMay()("contacts.read");
  const { data, isLoading } = useQuery(
    useTRPC().contacts.search.queryOptions({ limit: CONTACTS_READ }, { enabled }),
  );
  const open = data?.data.findLast(
    ({ windowOpenUntil, number }) => windowOpenUntil !== null && number !== null,
  );
  return { isLoading, number: open?.number ?? null };
}
