/** Each demo organization has an inbox below this path, by its id. */
export const INBOX_PATH = "/api/demo/inbox";

/** Returns the path that receives webhooks of a demo organization, below a base URL of this service. */
export const inboxPath = (organizationId: string): string => `${INBOX_PATH}/${organizationId}`;

/** Returns the organization's inbox at each base URL of this service: exceptions of `server/adapters/outbound`. */
export function inboxUrls(
  baseUrls: readonly (string | null | undefined)[],
  organizationId: string,
): ReadonlySet<string> {
  const known = baseUrls.filter((baseUrl) => typeof baseUrl === "string");
  return new Set(known.map((baseUrl) => `${baseUrl}${inboxPath(organizationId)}`));
}
