import type { ServiceUrls } from "./service-urls";

/** Each demo organization has a webhook inbox below this path, by its id. */
export const INBOX_PATH = "/api/demo/inbox";

/** Returns the path that receives webhooks of a demo organization, below a base URL of this service. */
export const inboxPath = (organizationId: string): string => `${INBOX_PATH}/${organizationId}`;

/**
 * Returns the organization's inbox at each base URL of this service. Webhooks may be posted to it although its address
 * isn't public.
 */
export function inboxUrls(urls: Pick<ServiceUrls, "own">, organizationId: string): ReadonlySet<string> {
  return new Set(urls.own().map((baseUrl) => `${baseUrl}${inboxPath(organizationId)}`));
}
