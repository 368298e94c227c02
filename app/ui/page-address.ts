import { headers } from "next/headers";

/** What Next adds to the address of a page that it fetches by itself. */
const ADDED_BY_NEXT = "_rsc";

/** Path and query of the page that is asked for, which server/edge/http tells; null where another server runs Next. */
export async function pageAddress(): Promise<string | null> {
  const address = (await headers()).get("x-page-address");
  if (address === null) return null;
  const { pathname, searchParams } = new URL(address, "http://localhost");
  searchParams.delete(ADDED_BY_NEXT);
  const search = searchParams.toString();
  return search === "" ? pathname : `${pathname}?${search}`;
}
