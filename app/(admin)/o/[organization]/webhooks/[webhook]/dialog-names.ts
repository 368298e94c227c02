/** The dialogs of an endpoint's page; the open one stands in the address. */
export const ENDPOINT_DIALOGS = ["change", "rotate", "disable", "replay", "remove"] as const;
export type EndpointDialog = (typeof ENDPOINT_DIALOGS)[number];
