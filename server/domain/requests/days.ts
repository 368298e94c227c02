/** Refused requests are stored individually for this long, independent of an organization's retention of contents. */
export const REFUSED_KEPT_DAYS = 7;
/** Hourly counts of refusals by code are stored for this long. */
export const REFUSALS_COUNTED_DAYS = 400;
/** Maximum stored per key and minute; the others are only counted. */
export const KEPT_PER_MINUTE_MAX = 60;
/** Hourly counts of all requests by route are stored for this long. */
export const REQUESTS_COUNTED_DAYS = 30;
