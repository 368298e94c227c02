/** Below it, each demo organization has an inbox by its id. */
export const INBOX_PATH = "/api/demo/inbox";

/** Where webhooks of a demo organization come in, from the root of an address of this service. */
export const inboxPath = (organizationId: string): string => `${INBOX_PATH}/${organizationId}`;

/** The inbox of an organization at each address of this service: exceptions of `server/adapters/outbound`. */
export function inboxUrls(
  baseUrls: readonly (string | null | undefined)[],
  organizationId: string,
): ReadonlySet<string> {
  const known = baseUrls.filter((baseUrl) => typeof baseUrl === "string");
  return new Set(known.map((baseUrl) => `${baseUrl}${inboxPath(organizationId)}`));
}
