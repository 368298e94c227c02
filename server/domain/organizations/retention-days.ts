/** Raw callbacks are kept so long at most: Meta can't be asked again, but nothing needs them longer. */
export const CALLBACKS_KEPT_DAYS = 30;

/** Webhook events, their deliveries and attempts: long after the last attempt, and as long as they can be replayed. */
export const WEBHOOKS_KEPT_DAYS = 30;

/** What waits to be fetched from an endpoint without an address. */
export const AVAILABLE_KEPT_DAYS = 7;
