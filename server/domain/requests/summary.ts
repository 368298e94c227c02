import type { z } from "zod";
import { requireCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { wallClock } from "@/server/lib/wall-clock";
import { REFUSED_KEPT_DAYS, REQUESTS_COUNTED_DAYS } from "./days";
import { requireKnownKey } from "./require-known-key";
import type { summarizeRequestsSchema } from "./schemas";

/** The requests to one route. */
interface RouteSummary {
  readonly method: string;
  /** The path's template. */
  readonly route: string;
  readonly succeeded: number;
  readonly refused: number;
  /** Number of refusals by status, most frequent first. */
  readonly refusals: readonly { readonly status: number; readonly count: number }[];
}

export interface RequestSummary {
  /** The start of the first hour in it. Hours are counted as a whole. */
  readonly since: Date;
  /** Most frequent first. */
  readonly routes: readonly RouteSummary[];
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const REFUSED_FROM = 400;

/**
 * Counts the organization's public requests by route: of the last seven days, or of the filter's times within the last
 * thirty. The cost grows with the hours, keys and routes, not with the requests. A success is counted a few seconds
 * later.
 * @throws WaypostError `permission_denied` without `requests.read`; `key_not_found` for a filter by a key that the
 * organization doesn't have.
 */
export async function summarizeRequests(args: {
  ctx: Context;
  input: z.output<typeof summarizeRequestsSchema>;
}): Promise<RequestSummary> {
  const { ctx, input } = args;
  requireCapability(ctx.actor, "requests.read");
  if (input.keyId !== undefined) await requireKnownKey(ctx, input.keyId);
  const since = sinceOf(input.since);
  if ([input.method, input.route].some((text) => text?.includes("\0"))) return { since, routes: [] };
  const rows = await readCounts(ctx, since, input);
  return { since, routes: routesOf(rows) };
}

function sinceOf(wanted: string | undefined): Date {
  const nowMs = wallClock.nowMs();
  const oldestMs = nowMs - REQUESTS_COUNTED_DAYS * DAY_MS;
  const wantedMs = wanted === undefined ? nowMs - REFUSED_KEPT_DAYS * DAY_MS : Date.parse(wanted);
  const ms = Math.max(wantedMs, oldestMs);
  return new Date(ms - (ms % HOUR_MS));
}

interface CountRow {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly count: number;
}

function readCounts(
  { services: { sql }, actor }: Context,
  since: Date,
  filter: z.output<typeof summarizeRequestsSchema>,
): Promise<CountRow[]> {
  const { keyId = null, method = null, route = null, until = null } = filter;
  return sql<CountRow[]>`
    select method, route, status, sum(count)::float8 as count from request_hours
    where organization_id = ${actor.organizationId} and hour >= ${since}
      and hour < coalesce(${until}::timestamptz, 'infinity')
      and (${keyId}::uuid is null or key_id = ${keyId})
      and (${method}::text is null or method = ${method}) and (${route}::text is null or route = ${route})
    group by method, route, status order by count desc, method, route, status`;
}

function routesOf(rows: readonly CountRow[]): RouteSummary[] {
  const routes = new Map<string, RouteSummary>();
  for (const { method, route, status, count } of rows) {
    const name = `${method} ${route}`;
    const sum = routes.get(name) ?? { method, route, succeeded: 0, refused: 0, refusals: [] };
    routes.set(
      name,
      status < REFUSED_FROM
        ? { ...sum, succeeded: sum.succeeded + count }
        : { ...sum, refused: sum.refused + count, refusals: [...sum.refusals, { status, count }] },
    );
  }
  return [...routes.values()].sort((one, other) => sizeOf(other) - sizeOf(one));
}

const sizeOf = ({ succeeded, refused }: RouteSummary) => succeeded + refused;
