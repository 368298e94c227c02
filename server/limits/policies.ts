/** The buckets of the public API (spec section 8). Limits are the initial ones of a key; each key has its own. */
export const POLICIES = {
  send: { limitDefault: 60, covers: "new messages (POST /messages)" },
  read: { limitDefault: 600, covers: "everything else that needs a key" },
} as const satisfies Record<string, { limitDefault: number; covers: string }>;

export type Bucket = keyof typeof POLICIES;

/** Length of the sliding window (spec section 8). */
export const WINDOW_SECONDS = 60;
export const LIMIT_MAX = 1_000_000;
