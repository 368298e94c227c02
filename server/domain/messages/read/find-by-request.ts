import type { Context } from "@/server/core/context";
import { isUuid } from "@/server/lib/uuid";

/**
 * Tolerated backward step of the clock. Both ids start with a time from the same process: the message's follows soon
 * after its request's.
 */
const CLOCK_SET_BACK_MS = 1_000;
const REQUEST_MS_MAX = 60_000;
/** Maximum messages examined, of the organization's messages of that time. */
const EXAMINED_MAX = 20_000;

/**
 * Finds the message that was accepted from a request, by its `X-Request-Id`; null if there is none, as for a refusal or
 * a repeat. Searches the messages of that minute: an index would cost every message, and this search is rare.
 */
export async function findMessageByRequest(ctx: Context, requestId: string): Promise<string | null> {
  const madeAtMs = isUuid(requestId) ? timeOf(requestId) : null;
  if (madeAtMs === null) return null;
  const [found] = await ctx.services.sql<{ id: string }[]>`
    select id from (
      select id, request_id from messages
      where organization_id = ${ctx.actor.organizationId}
        and id >= ${firstIdOf(madeAtMs - CLOCK_SET_BACK_MS)} and id < ${firstIdOf(madeAtMs + REQUEST_MS_MAX)}
      order by id limit ${EXAMINED_MAX}) m
    where request_id = ${requestId.toLowerCase()} limit 1`;
  return found?.id ?? null;
}

const TIME_DIGITS = 12;
const VERSION_AT = 14;

/** Returns the Unix milliseconds of a UUIDv7; null for another UUID. */
function timeOf(id: string): number | null {
  if (id[VERSION_AT] !== "7") return null;
  return Number.parseInt(id.replaceAll("-", "").slice(0, TIME_DIGITS), 16);
}

/** The smallest id of that millisecond. */
function firstIdOf(timeMs: number): string {
  const time = Math.max(timeMs, 0).toString(16).padStart(TIME_DIGITS, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}
