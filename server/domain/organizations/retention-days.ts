/** Maximum age of raw callbacks: Meta can't deliver them again, but nothing needs them longer. */
export const CALLBACKS_KEPT_DAYS = 30;

/**
 * Webhook events, their deliveries and attempts: long after the last attempt, and for as long as they can be replayed.
 */
export const WEBHOOKS_KEPT_DAYS = 30;

/** Events that wait to be fetched from an endpoint without a URL. */
export const AVAILABLE_KEPT_DAYS = 7;
