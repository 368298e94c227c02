import { requireCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { decodeCursor, encodeCursor, type Page } from "@/server/core/paging";
import { omitted, type Omitted } from "./omitted";
import { requireKnownKey } from "./require-known-key";
import type { ListRequestsInput } from "./schemas";
import { type Position, selectPage } from "./select-page";
import { type RefusedRequestView, viewOf } from "./view";

export interface RefusedRequestPage extends Page<RefusedRequestView> {
  /**
   * Rejected requests in the page's hours that were only counted. With `recipient`, these are for all recipients; some
   * may have been for that one.
   */
  readonly omitted: Omitted[];
}

const LIST = "requests";

/**
 * Lists public requests with the organization's keys that were refused in the last seven days, newest first, each with
 * what to do about it. A page can have fewer than `limit` rows, even none, and still have a next page: if few rows
 * match, each page examines only a part of them.
 * @throws WaypostError `permission_denied` without `requests.read`; `key_not_found` for a filter by a key that the
 * organization doesn't have; `validation_failed`.
 */
export async function listRequests(args: {
  ctx: Context;
  input: ListRequestsInput;
}): Promise<RefusedRequestPage> {
  const { ctx } = args;
  requireCapability(ctx.actor, "requests.read");
  const { limit, cursor, ...filter } = args.input;
  const before = positionOf(decodeCursor(ctx, LIST, cursor));
  if (filter.keyId !== undefined) await requireKnownKey(ctx, filter.keyId);
  const page = await selectPage(ctx, filter, { before, limit });
  const { rows, next } = page;
  return {
    data: rows.map(viewOf),
    next_cursor: next === null ? null : encodeCursor(ctx, LIST, [next.refusedAt.toISOString(), next.id]),
    omitted: await omitted(ctx, filter, { before, ...page }),
  };
}

function positionOf(position: readonly string[] | null): Position | null {
  const [refusedAt, id] = position ?? [];
  return refusedAt === undefined || id === undefined ? null : { refusedAt: new Date(refusedAt), id };
}
