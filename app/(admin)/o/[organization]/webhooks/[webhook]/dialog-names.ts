/** The dialogs of an endpoint's page. The URL says which is open. */
export const ENDPOINT_DIALOGS = ["change", "rotate", "disable", "replay", "remove"] as const;
export type EndpointDialog = (typeof ENDPOINT_DIALOGS)[number];
