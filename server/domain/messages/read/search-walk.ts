import type { SqlFragment } from "@/db/client";
import type { Context } from "@/server/core/context";
import type { SearchFilter, Span } from "./search-filter";
import type { Matches } from "./search-matches";

/** Maximum rows examined per page. A page costs the same however many messages there are, and however few match. */
const EXAMINED_MAX = 10_000;

/** A way through messages, newest first, that includes everything a search can find. */
export interface Walk {
  /**
   * Rows of messages, newest first within each stream.
   * @param tail is appended to each stream, such as a limit.
   */
  readonly rows: (span: Span, columns: SqlFragment, tail: SqlFragment) => SqlFragment;
  /** Maximum rows examined per stream and page. */
  readonly examinedMax: number;
}

/** Returns the shortest walk: through the text's matches, else through an index that the filter allows. */
export function walkOf(ctx: Context, filter: SearchFilter, matches: Matches | null): Walk {
  return matches === null ? organizationWalk(ctx, filter) : matchedWalk(ctx, matches);
}

const spanIn = ({ services: { sql } }: Context, { from, before }: Span) =>
  sql`accept_seq >= ${from} and accept_seq < ${before}`;

function organizationWalk(ctx: Context, filter: SearchFilter): Walk {
  const { sql } = ctx.services;
  const condition = conditionOf(ctx, filter);
  return {
    examinedMax: EXAMINED_MAX,
    rows: (span, columns, tail) => sql`
      select ${columns} from messages
      where organization_id = ${ctx.actor.organizationId} and ${condition} and ${spanIn(ctx, span)}
      order by accept_seq desc ${tail}`,
  };
}

/** Each condition repeats the predicate of a partial index in order of acceptance, word for word. */
function conditionOf({ services: { sql } }: Context, { state, errorCode }: SearchFilter): SqlFragment {
  if (errorCode !== undefined) return sql`error_code is not null and error_code = ${errorCode}`;
  if (state === "failed") return sql`error_code is not null`;
  if (state === "queued") return sql`is_queued and created_at < 'infinity'`;
  if (state === "unconfirmed")
    return sql`is_queued and in_doubt_since is not null and created_at < 'infinity'`;
  return sql`accept_seq > 0`;
}

/** A conversation has two streams: kept messages and erased ones. */
const STREAMS = ["erased_at is null", "erased_at is not null"] as const;

function matchedWalk(ctx: Context, { messages, conversations }: Matches): Walk {
  const { sql } = ctx.services;
  const single = [...messages.keys()];
  const conversationIds = [...conversations.keys()];
  return {
    examinedMax: Math.ceil(EXAMINED_MAX / Math.max(STREAMS.length * conversationIds.length, 1)),
    rows(span, columns, tail) {
      const stream = (erasure: (typeof STREAMS)[number]) => sql`(
        select ${columns} from messages
        where conversation_id = c.id and ${sql.unsafe(erasure)} and ${spanIn(ctx, span)}
          and id <> all(${single}::uuid[])
        order by accept_seq desc ${tail})`;
      return sql`
        select s.* from unnest(${conversationIds}::uuid[]) as c (id)
        cross join lateral (${stream(STREAMS[0])} union all ${stream(STREAMS[1])}) s
        union all (
          select ${columns} from messages
          where organization_id = ${ctx.actor.organizationId} and id = any(${single}::uuid[]) and ${spanIn(ctx, span)}
          order by accept_seq desc ${tail})`;
    },
  };
}
