import type { apiKeys } from "@/db/schema";
import { isScope, type Scope } from "@/server/core/capabilities";

/** A secret as it may be shown: never the whole. */
export interface SecretView {
  readonly id: string;
  readonly prefix: string;
  readonly lastFour: string;
  /** End of its overlap; null while it is the key's present secret. */
  readonly endsAt: Date | null;
  readonly createdAt: Date;
  /** To about a minute; null when never. */
  readonly lastUsedAt: Date | null;
}

export const KEY_STATUSES = ["live", "expired", "revoked"] as const;
export type KeyStatus = (typeof KEY_STATUSES)[number];

/** A key as members see it. */
export interface KeyView {
  readonly id: string;
  readonly name: string;
  readonly status: KeyStatus;
  readonly scopes: readonly Scope[];
  /** Null: all channels. */
  readonly channelIds: readonly string[] | null;
  readonly sendLimit: number;
  readonly readLimit: number;
  readonly expiresAt: Date | null;
  /** It is live, and has less than 14 days left. */
  readonly expiresSoon: boolean;
  readonly revokedAt: Date | null;
  /** A member's id; null for the operator's CLI. */
  readonly createdBy: string | null;
  readonly createdAt: Date;
  /** To about a minute; null when never. */
  readonly lastUsedAt: Date | null;
  /** It is live, and was never used in its first 30 days, or not in the last 90. */
  readonly isUnused: boolean;
  /** Those that work now, the present one first: at most two. */
  readonly secrets: readonly SecretView[];
}

/** A key as its own page shows it. */
export interface KeyDetail extends KeyView {
  /** Name of the member who made it; null for the operator's CLI. */
  readonly createdByName: string | null;
}

/** Answer of creating and of rotating: the only time the whole secret is seen. */
export interface KeyWithSecret {
  readonly id: string;
  readonly secret: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly channelIds: readonly string[] | null;
  readonly sendLimit: number;
  readonly readLimit: number;
  readonly expiresAt: Date | null;
}

export function withSecret(key: typeof apiKeys.$inferSelect, secret: string): KeyWithSecret {
  return {
    id: key.id,
    secret,
    name: key.name,
    scopes: key.scopes.filter(isScope),
    channelIds: key.channelIds,
    sendLimit: key.sendLimit,
    readLimit: key.readLimit,
    expiresAt: key.expiresAt,
  };
}
