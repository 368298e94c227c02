/** The buckets of the public API (spec section 8). Limits are the initial ones of a key; each key has its own. */
export const POLICIES = {
  send: { limitDefault: 60, covers: "new messages (POST /messages)" },
  read: { limitDefault: 600, covers: "everything else that needs a key" },
} as const satisfies Record<string, { limitDefault: number; covers: string }>;

export type Bucket = keyof typeof POLICIES;

/** Most units that a bucket of a key can be given. */
export const LIMIT_MAX = 1_000_000;
