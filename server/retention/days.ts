/** Raw callbacks are kept so long at most: Meta can't be asked again, but nothing needs them longer (design section 3). */
export const CALLBACKS_KEPT_DAYS = 30;
