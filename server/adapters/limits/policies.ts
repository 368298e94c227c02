/** The buckets of the public API. Limits are those of a new key; `upload` is the same for all keys. */
export const POLICIES = {
  send: { limitDefault: 60, covers: "new messages (POST /messages)" },
  read: { limitDefault: 600, covers: "all other requests that need an API key" },
  upload: { limitDefault: 60, covers: "uploads (POST /uploads); this limit is the same for every key" },
} as const satisfies Record<string, { limitDefault: number; covers: string }>;

export type Bucket = keyof typeof POLICIES;

/** Most units that a bucket of a key can be given. */
export const LIMIT_MAX = 1_000_000;
