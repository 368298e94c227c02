import { z } from "zod";
import type { DeliveryState } from "@/db/schema";
import type { Context } from "@/server/core/context";
import { upstreamErrorIn } from "../model/explain-failure";

/** The upstream's response: HTTP status and code, the code's title, and its message; null once erased. */
export interface UpstreamSaid {
  readonly httpStatus: number | null;
  readonly code: number | null;
  /** WhatsApp's own title of the code. */
  readonly title: string | null;
  readonly words: string | null;
}

/** A past or future event of a message. */
export type TimelineEntry =
  | { readonly kind: "accepted"; readonly at: Date }
  /** A call to WhatsApp, finished or running; its outcome is null until its end. */
  | {
      readonly kind: "attempt";
      readonly at: Date;
      readonly number: number;
      readonly finishedAt: Date | null;
      readonly outcome: "accepted" | "rejected" | "retry" | "uncertain" | null;
      readonly said: UpstreamSaid;
    }
  /** An observed state; `isNews` is false if it changed nothing, for example because it was known already. */
  | {
      readonly kind: "sent" | "delivered" | "read" | "failed";
      readonly at: Date;
      /** By WhatsApp's clock, if it gave a time. */
      readonly upstreamAt: Date | null;
      readonly source: EventSource;
      /** The number of the attempt whose response said so; null if none did. */
      readonly ofAttempt: number | null;
      readonly isNews: boolean;
      /** Nobody reported it; it follows from `read`. */
      readonly isInferred: boolean;
      readonly previousState: DeliveryState | null;
      readonly errorCode: string | null;
      readonly said: UpstreamSaid;
    }
  /** The message was certainly not sent, and is retried. The last entry has the time of a pending retry. */
  | {
      readonly kind: "retry";
      readonly at: Date;
      readonly ofAttempt: number | null;
      readonly nextAttemptAt: Date | null;
      readonly said: UpstreamSaid;
    }
  /** The message was handed over, and the response was lost. The last entry says until when it waits, while it does. */
  | {
      readonly kind: "uncertain";
      readonly at: Date;
      readonly ofAttempt: number | null;
      readonly waitsUntil: Date | null;
      readonly said: UpstreamSaid;
    }
  | { readonly kind: "erased"; readonly at: Date };

/** The source of an event: the response to a call, a callback, or Waypost's own rules and clock. */
export type EventSource = "answer" | "callback" | "waypost";

interface EventRow {
  readonly kind: "sent" | "delivered" | "read" | "failed" | "retry" | "uncertain";
  readonly sourceKey: string;
  readonly sequence: number | null;
  readonly previousState: DeliveryState | null;
  readonly inferred: boolean;
  readonly upstreamAt: Date | null;
  readonly errorCode: string | null;
  readonly detail: unknown;
  readonly createdAt: Date;
}

interface AttemptRow {
  readonly id: string;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
  readonly outcome: "accepted" | "rejected" | "retry" | "uncertain" | null;
  readonly httpStatus: number | null;
  readonly upstreamCode: number | null;
  readonly detail: unknown;
}

interface MessageTimes {
  readonly createdAt: Date;
  readonly erasedAt: Date | null;
  readonly nextAttemptAt: Date | null;
  readonly inDoubtSince: Date | null;
}

/** A message that is retried for twelve hours has about two hundred attempts, and an event for each. */
const ENTRIES_MAX = 1_000;

/**
 * Returns everything that happened to a message of the actor's organization, in order; only the newest entries if there
 * are too many.
 */
export async function readTimeline(ctx: Context, messageId: string): Promise<readonly TimelineEntry[]> {
  const [times, attempts, events] = await Promise.all([
    readTimes(ctx, messageId),
    readAttempts(ctx, messageId),
    readEvents(ctx, messageId),
  ]);
  if (times === null) return [];
  const numbers = new Map(attempts.map(({ id }, place) => [`attempt:${id}`, place + 1]));
  const entries: TimelineEntry[] = [
    { kind: "accepted", at: times.createdAt },
    ...attempts.map(attemptEntry),
    ...events.map((event, place) =>
      eventEntry(event, {
        ...(isLastOfKind(events, place) ? expected(ctx, times) : NOTHING),
        ofAttempt: numbers.get(event.sourceKey) ?? null,
      }),
    ),
    ...(times.erasedAt === null ? [] : [{ kind: "erased", at: times.erasedAt } as const]),
  ];
  // Sorting is stable: of one moment, the call comes before its outcome.
  return entries.sort((one, other) => one.at.getTime() - other.at.getTime());
}

interface Expected {
  readonly nextAttemptAt: Date | null;
  readonly waitsUntil: Date | null;
}

const NOTHING: Expected = { nextAttemptAt: null, waitsUntil: null };

function expected({ services }: Context, { nextAttemptAt, inDoubtSince }: MessageTimes): Expected {
  if (inDoubtSince === null) return { nextAttemptAt, waitsUntil: null };
  const waitsUntil = new Date(inDoubtSince.getTime() + services.config.unconfirmedAfterSeconds * 1000);
  return { nextAttemptAt: null, waitsUntil };
}

function isLastOfKind(events: readonly EventRow[], place: number): boolean {
  const kind = events[place]?.kind;
  return events.findLastIndex((event) => event.kind === kind) === place;
}

function attemptEntry(row: AttemptRow, place: number): TimelineEntry {
  const { startedAt: at, finishedAt, outcome, httpStatus, upstreamCode } = row;
  const said = saidIn(row.detail, { httpStatus, upstreamCode });
  return { kind: "attempt", at, number: place + 1, finishedAt, outcome, said };
}

function eventEntry(
  row: EventRow,
  { nextAttemptAt, waitsUntil, ofAttempt }: Expected & { readonly ofAttempt: number | null },
): TimelineEntry {
  const { kind, createdAt: at, upstreamAt, previousState, errorCode } = row;
  const said = saidIn(row.detail);
  if (kind === "retry") return { kind, at, nextAttemptAt, ofAttempt, said };
  if (kind === "uncertain") return { kind, at, waitsUntil, ofAttempt, said };
  return {
    kind,
    at,
    upstreamAt,
    previousState,
    errorCode,
    said,
    source: sourceOf(row.sourceKey),
    ofAttempt,
    isNews: row.sequence !== null,
    isInferred: row.inferred,
  };
}

function sourceOf(sourceKey: string): EventSource {
  const key = sourceKey.replace(/^inferred:/, "");
  if (key.startsWith("attempt:")) return "answer";
  return key.startsWith("callback:") ? "callback" : "waypost";
}

const detailSchema = z
  .object({
    httpStatus: z.number().nullish(),
    upstreamCode: z.number().nullish(),
    title: z.string().nullish(),
    reason: z.string().nullish(),
  })
  .catch({});

function saidIn(
  detail: unknown,
  known: { httpStatus: number | null; upstreamCode: number | null } = {
    httpStatus: null,
    upstreamCode: null,
  },
): UpstreamSaid {
  const { httpStatus, upstreamCode, title, reason } = detailSchema.parse(detail ?? {});
  const code = known.upstreamCode ?? upstreamCode ?? null;
  return {
    httpStatus: known.httpStatus ?? httpStatus ?? null,
    code,
    title: upstreamErrorIn({ upstreamCode: code, title })?.title ?? null,
    words: reason ?? null,
  };
}

async function readTimes({ services, actor }: Context, id: string): Promise<MessageTimes | null> {
  const [times] = await services.sql<MessageTimes[]>`
    select created_at as "createdAt", erased_at as "erasedAt",
      case when state = 'queued' and next_attempt_at > now() then next_attempt_at end as "nextAttemptAt",
      case when state = 'queued' then in_doubt_since end as "inDoubtSince"
    from messages where id = ${id} and organization_id = ${actor.organizationId}`;
  return times ?? null;
}

/** Reads each through its partial index. */
async function readAttempts({ services, actor }: Context, id: string): Promise<AttemptRow[]> {
  const { sql } = services;
  const columns = sql`id, started_at as "startedAt", finished_at as "finishedAt", outcome, http_status as "httpStatus",
    upstream_code as "upstreamCode", detail`;
  const rows = await sql<AttemptRow[]>`
    select * from (
      select ${columns} from message_attempts
      where message_id = ${id} and organization_id = ${actor.organizationId}
        and (outcome is null or outcome in ('accepted', 'uncertain'))
      union all
      select ${columns} from message_attempts
      where message_id = ${id} and organization_id = ${actor.organizationId} and outcome in ('rejected', 'retry')) a
    order by a."startedAt" desc, a.id desc limit ${ENTRIES_MAX}`;
  return rows.toReversed();
}

async function readEvents({ services, actor }: Context, id: string): Promise<EventRow[]> {
  const rows = await services.sql<EventRow[]>`
    select kind, source_key as "sourceKey", sequence, previous_state as "previousState", inferred,
      upstream_at as "upstreamAt", error_code as "errorCode", detail, created_at as "createdAt"
    from message_events
    where message_id = ${id} and organization_id = ${actor.organizationId}
    order by created_at desc, sequence desc nulls last, kind limit ${ENTRIES_MAX}`;
  return rows.toReversed();
}
