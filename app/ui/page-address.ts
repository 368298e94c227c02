import { headers } from "next/headers";

/** The query parameter that Next adds to the URL of a page that it fetches itself. */
const ADDED_BY_NEXT = "_rsc";

/** Returns path and query of the requested page, which server/edge/http passes on; null if another server runs Next. */
export async function pageAddress(): Promise<string | null> {
  const address = (await headers()).get("x-page-address");
  if (address === null) return null;
  const { pathname, searchParams } = new URL(address, "http://localhost");
  searchParams.delete(ADDED_BY_NEXT);
  const search = searchParams.toString();
  return search === "" ? pathname : `${pathname}?${search}`;
}
