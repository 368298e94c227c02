import { z } from "zod";
import { DELIVERY_STATES } from "@/db/schema";
import { requireKnownChannel } from "@/server/core/channel-access";
import type { Context } from "@/server/core/context";
import { FAILURE_CODES, WaypostError } from "@/server/platform/errors";
import { timeInput, sinceInput } from "@/server/core/input/time-input";
import { sequenceAt } from "../model/sequence-at";

/** Longer than any id, and than a number with separators between all digits. */
const SEARCH_LENGTH_MAX = 500;

/** `unconfirmed`: queued and handed over without a response, so it waits for confirmation. */
const SEARCH_STATES = [...DELIVERY_STATES, "unconfirmed"] as const;

/** The filters of a search; all given ones must match. */
export const searchFilterShape = {
  q: z
    .string()
    .max(SEARCH_LENGTH_MAX, `must have at most ${SEARCH_LENGTH_MAX} characters`)
    .optional()
    .meta({ description: "An id of any kind, or a phone number in any format" }),
  state: z.enum(SEARCH_STATES).optional(),
  channelId: z.guid().optional(),
  keyId: z.guid().optional(),
  errorCode: z.enum(FAILURE_CODES).optional(),
  since: sinceInput.optional().meta({ description: "Only messages accepted at this time or later" }),
  until: timeInput.optional().meta({ description: "Only messages accepted before this time" }),
} as const;

export const searchFilterSchema = z.strictObject(searchFilterShape);
export type SearchFilter = z.output<typeof searchFilterSchema>;

/**
 * Refuses ids that the organization doesn't have.
 * @throws WaypostError `channel_forbidden`, `key_not_found`.
 */
export async function requireKnownFilter(ctx: Context, { channelId, keyId }: SearchFilter): Promise<void> {
  if (channelId !== undefined) await requireKnownChannel(ctx, channelId, "channelId");
  if (keyId === undefined) return;
  const [key] = await ctx.services.sql`
    select 1 from api_keys where id = ${keyId} and organization_id = ${ctx.actor.organizationId}`;
  if (key === undefined) throw new WaypostError("key_not_found", { field: "keyId" });
}

/** Range of acceptance numbers: from `from` (inclusive) to `before` (exclusive). */
export interface Span {
  readonly from: number;
  readonly before: number;
}

export const SEQUENCE_MAX = Number.MAX_SAFE_INTEGER;

/** Returns the possible acceptance numbers for the filter's times. */
export async function spanOfTimes(ctx: Context, { since, until }: SearchFilter): Promise<Span> {
  const [from, before] = await Promise.all([
    since === undefined ? 0 : sequenceAt(ctx, new Date(since), "before"),
    until === undefined ? SEQUENCE_MAX : sequenceAt(ctx, new Date(until), "after"),
  ]);
  return { from, before };
}

/**
 * Returns the filter as a condition on messages under the name `m`, including the parts that the walk already covers.
 */
export function matching({ services: { sql }, actor }: Context, filter: SearchFilter) {
  const { channelId = null, keyId = null, errorCode = null, since = null, until = null } = filter;
  const isUnconfirmed = filter.state === "unconfirmed";
  const state = isUnconfirmed ? "queued" : (filter.state ?? null);
  return sql`m.organization_id = ${actor.organizationId} and m.kind = 'outbound'
    and (${state}::text is null or m.state = ${state})
    and (not ${isUnconfirmed}::boolean or m.in_doubt_since is not null)
    and (${channelId}::uuid is null or m.channel_id = ${channelId})
    and (${keyId}::uuid is null or m.key_id = ${keyId})
    and (${errorCode}::text is null or m.error_code = ${errorCode})
    and (${since}::timestamptz is null or m.created_at >= ${since})
    and (${until}::timestamptz is null or m.created_at < ${until})`;
}
