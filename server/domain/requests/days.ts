/** Refused requests are kept so long one by one, whatever an organization keeps of what was said. */
export const REFUSED_KEPT_DAYS = 7;
/** And so long as counts by the hour. */
export const REFUSALS_COUNTED_DAYS = 400;
/** Of one key and minute so many are kept one by one; the others are counted. */
export const KEPT_PER_MINUTE_MAX = 60;
