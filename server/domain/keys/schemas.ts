import { z } from "zod";
import { LIMIT_MAX, POLICIES } from "@/server/adapters/limits/policies";
import { DEFAULT_SCOPES, SCOPE_NAMES } from "@/server/core/capabilities";
import { timeInput } from "@/server/core/input/time-input";
import { nameSchema } from "@/server/lib/text";
import { KEY_STATUSES } from "./views";

const PAGE_MAX = 200;

/**
 * Longer spans are shortened to this, 6,000 years: an ISO date has four digits for the year, and the calendars of
 * PostgreSQL and JavaScript end. A key that outlives its users needs no "too long" error.
 */
const SPAN_SECONDS_MAX = 6_000 * 365 * 86_400;

const spanSchema = (secondsMin: number) =>
  z
    .int(`must be a whole number of seconds from ${secondsMin}`)
    .min(secondsMin, `must be a whole number of seconds from ${secondsMin}`)
    .transform((seconds) => Math.min(seconds, SPAN_SECONDS_MAX));

const limitSchema = z
  .int(`must be a whole number from 1 to ${LIMIT_MAX}`)
  .min(1, `must be a whole number from 1 to ${LIMIT_MAX}`)
  .max(LIMIT_MAX, `must be a whole number from 1 to ${LIMIT_MAX}`);

const scopesSchema = z
  .array(z.enum(SCOPE_NAMES))
  .min(1, "must name at least one scope")
  .transform((scopes) => SCOPE_NAMES.filter((scope) => scopes.includes(scope)));

const channelIdsSchema = z
  .array(z.guid("must be the id of a channel"))
  .min(1, "must name at least one channel")
  .transform((ids) => [...new Set(ids.map((id) => id.toLowerCase()))]);

export const createKeySchema = z.strictObject({
  name: nameSchema,
  scopes: scopesSchema.default([...DEFAULT_SCOPES]),
  /** Null: all channels, including future ones. */
  channelIds: channelIdsSchema.nullable().default(null),
  /** From now; null: never. */
  expiresInSeconds: spanSchema(1).nullable().default(null),
  /** Units of the rate limit per 60 seconds. */
  sendLimit: limitSchema.default(POLICIES.send.limitDefault),
  readLimit: limitSchema.default(POLICIES.read.limitDefault),
});
export type CreateKeyInput = z.input<typeof createKeySchema>;

export const rotateKeySchema = z.strictObject({
  keyId: z.string(),
  /** How long the current secret still works; 0 ends it immediately. Never past the key's expiry. */
  overlapSeconds: spanSchema(0),
  /** Absent: unchanged. Scopes belong to the key, so they change for both secrets. */
  scopes: scopesSchema.optional(),
});
export type RotateKeyInput = z.input<typeof rotateKeySchema>;

export const endFormerSecretSchema = z.strictObject({ keyId: z.string(), secretId: z.string() });
export type EndFormerSecretInput = z.input<typeof endFormerSecretSchema>;

/** Absent: unchanged. */
export const setKeySchema = z
  .strictObject({
    keyId: z.string(),
    name: nameSchema.optional(),
    /** An RFC 3339 time; null: never. */
    expiresAt: timeInput.nullable().optional(),
    /** Null: all channels, including future ones. */
    channelIds: channelIdsSchema.nullable().optional(),
    sendLimit: limitSchema.optional(),
    readLimit: limitSchema.optional(),
  })
  .refine(
    (input) => Object.entries(input).some(([name, value]) => name !== "keyId" && value !== undefined),
    "must name at least one setting",
  );
export type SetKeyInput = z.input<typeof setKeySchema>;

const REASON_LENGTH_MAX = 500;

export const revokeKeySchema = z.strictObject({
  keyId: z.string(),
  /** The reason, for the audit log. */
  reason: z
    .string()
    .trim()
    .max(REASON_LENGTH_MAX, `must have at most ${REASON_LENGTH_MAX} characters`)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, "must be without control characters")
    .optional(),
});
export type RevokeKeyInput = z.input<typeof revokeKeySchema>;

export const getKeySchema = z.strictObject({ keyId: z.string() });
export type GetKeyInput = z.input<typeof getKeySchema>;

const FOUND_TEXT_LENGTH_MAX = 10_000;

export const identifyKeySchema = z.strictObject({
  /** A key's secret, alone or inside the text that it was found in. */
  text: z.string().max(FOUND_TEXT_LENGTH_MAX, `must have at most ${FOUND_TEXT_LENGTH_MAX} characters`),
});
export type IdentifyKeyInput = z.input<typeof identifyKeySchema>;

const SEARCH_LENGTH_MAX = 500;

export const listKeysSchema = z.strictObject({
  /** Only keys with these; all if absent. */
  statuses: z.array(z.enum(KEY_STATUSES)).min(1).optional(),
  /** A part of the name, or the id. */
  q: z.string().max(SEARCH_LENGTH_MAX, `must have at most ${SEARCH_LENGTH_MAX} characters`).optional(),
  limit: z.int().min(1).max(PAGE_MAX).default(100),
  /** `nextCursor` of the previous page. */
  cursor: z.guid().nullable().default(null),
});
export type ListKeysInput = z.input<typeof listKeysSchema>;
