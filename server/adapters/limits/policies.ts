/** The rate-limit buckets of the public API. Limits are those of a new key. `upload` is the same for all keys. */
export const POLICIES = {
  send: { limitDefault: 60, covers: "new messages (POST /messages)" },
  read: { limitDefault: 600, covers: "all other requests that need an API key" },
  upload: { limitDefault: 60, covers: "uploads (POST /uploads); this limit is the same for every key" },
} as const satisfies Record<string, { limitDefault: number; covers: string }>;

export type Bucket = keyof typeof POLICIES;

/** Highest limit that a key's bucket can have. */
export const LIMIT_MAX = 1_000_000;
