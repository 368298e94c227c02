import type { apiKeys } from "@/db/schema";
import { isScope, type Scope } from "@/server/core/capabilities";

/** The visible data of a secret, never the whole. */
export interface SecretView {
  readonly id: string;
  readonly prefix: string;
  readonly lastFour: string;
  /** End of its overlap; null for the key's current secret. */
  readonly endsAt: Date | null;
  readonly createdAt: Date;
  /** Accurate to about a minute; null if never. */
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
  /** The key is live and expires in less than 14 days. */
  readonly expiresSoon: boolean;
  readonly revokedAt: Date | null;
  /** A member's id; null for the operator's CLI. */
  readonly createdBy: string | null;
  readonly createdAt: Date;
  /** Accurate to about a minute; null if never. */
  readonly lastUsedAt: Date | null;
  /** The key is live, and either wasn't used in its first 30 days or not in the last 90. */
  readonly isUnused: boolean;
  /** The working secrets, current one first: at most two. */
  readonly secrets: readonly SecretView[];
}

/** A key as its own page shows it. */
export interface KeyDetail extends KeyView {
  /** Name of the member who created it; null for the operator's CLI. */
  readonly createdByName: string | null;
}

/** The response to creating and rotating: the only time that the whole secret is visible. */
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
