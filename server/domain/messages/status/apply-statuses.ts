import type { StatusReport } from "@/server/adapters/whatsapp/reports";
import { isDeepStrictEqual } from "node:util";
import type { TransactionSql } from "@/db/client";
import { newId } from "@/db/schema";
import { retryOnConflict } from "@/db/errors";
import { equivalentHandles } from "@/server/adapters/whatsapp/handles";
import type { Context, Services } from "@/server/core/context";
import { upstreamOutcome } from "@/server/adapters/whatsapp/outcomes";
import { notifyEndpoints } from "@/server/domain/webhooks/outbox/store-events";
import { announce } from "./announce";
import { countStates } from "./count-states";
import { derive, type DerivedEvent } from "./derive";
import { storeEffects, storePauses } from "./effects";
import {
  appendEvents,
  type LockedMessages,
  lockMessages,
  type MessageRow,
  saveMessages,
} from "./message-rows";

/** Maximum rows locked together. */
const BATCH_MAX = 100;

/** Marks callbacks as processed. @returns a function to call after the commit. */
export type MarkProcessed = (tx: TransactionSql) => Promise<() => void>;

interface Addressed {
  readonly messageId: string;
  readonly report: StatusReport;
}

/**
 * Merges statuses of one channel into its messages, in any order, repeated or late. A status whose message isn't known
 * yet is kept and joined later. A status settles its message's open or uncertain attempt.
 * @param args.markProcessed is called in the last transaction, unless a status is about an erased message.
 * @returns the wamids of erased messages: callbacks that name them need not be kept.
 */
export async function applyStatuses(args: {
  ctx: Context;
  input: { channelId: string; reports: readonly StatusReport[] };
  markProcessed?: MarkProcessed | undefined;
}): Promise<readonly string[]> {
  const { ctx, input, markProcessed } = args;
  const ofErased: string[] = [];
  for (let start = 0; start < input.reports.length; start += BATCH_MAX) {
    const end = start + BATCH_MAX;
    const reports = input.reports.slice(start, end);
    const mark = end >= input.reports.length && ofErased.length === 0 ? markProcessed : undefined;
    const applied = await retryOnConflict(() =>
      ctx.services.sql.begin((tx) => applyBatch(tx, ctx, { ...input, reports }, mark)),
    );
    notifyEndpoints(ctx.services, applied.endpointIds);
    countStates(ctx.services, applied.events);
    applied.afterCommit?.();
    ofErased.push(...applied.ofErased);
  }
  return ofErased;
}

interface Applied {
  /** Wamids of erased messages. */
  readonly ofErased: readonly string[];
  readonly events: readonly DerivedEvent[];
  readonly endpointIds: readonly string[];
  readonly afterCommit: (() => void) | undefined;
}

async function applyBatch(
  tx: TransactionSql,
  ctx: Context,
  { channelId, reports }: { channelId: string; reports: readonly StatusReport[] },
  mark: MarkProcessed | undefined,
): Promise<Applied> {
  const { addressed, unknown, rows, now } = await lockAddressed(
    tx,
    ctx.actor.organizationId,
    channelId,
    reports,
  );
  await keepUnmatched(tx, ctx.actor.organizationId, channelId, unknown);
  if (addressed.length === 0)
    return { ofErased: [], events: [], endpointIds: [], afterCommit: await mark?.(tx) };
  const ofErased = addressed.flatMap(({ messageId, report }) =>
    rows.get(messageId)?.isErased === true ? [report.upstreamId] : [],
  );
  const before = new Map(rows);
  const { events, findings } = mergeInto(rows, addressed, now);
  const timeline = events.flatMap(({ messageId, event }) => {
    const message = rows.get(messageId);
    return message ? [{ message, event }] : [];
  });
  // The statements are sent at once and run in this order.
  const [announced, afterCommit] = await Promise.all([
    announce(tx, ctx.services, timeline, now),
    ofErased.length === 0 ? mark?.(tx) : undefined,
    settleAttempts(tx, [...rows.values()]),
    saveMessages(
      tx,
      [...rows.values()].filter((row) => !isAsBefore(before.get(row.id), row)),
    ),
    appendEvents(tx, timeline),
  ]);
  const endpointIds = [...announced, ...(await storeFindings(ctx.services, tx, findings))];
  return { ofErased, events: timeline.map(({ event }) => event), endpointIds, afterCommit };
}

interface LockedReports extends LockedMessages {
  /** In the order of the reports. */
  readonly addressed: readonly Addressed[];
  /** Reports about no message that is known yet. */
  readonly unknown: readonly StatusReport[];
}

/** Locks the messages of statuses. Nearly all contain our id, and need no search. */
async function lockAddressed(
  tx: TransactionSql,
  organizationId: string,
  channelId: string,
  reports: readonly StatusReport[],
): Promise<LockedReports> {
  const within = { organizationId, channelId };
  const ids = new Map(reports.map((report) => [report, report.messageId]));
  const given = reports.flatMap(({ messageId }) => messageId ?? []);
  const named = await lockMessages(tx, given, within);
  const others = reports.filter(({ messageId }) => messageId === null || !named.rows.has(messageId));
  const found = others.length === 0 ? [] : await resolve(tx, organizationId, channelId, others);
  const foundIds = found.map(({ messageId }) => messageId);
  const searched = await lockMessages(tx, foundIds, within);
  for (const report of others) ids.set(report, null);
  for (const { report, messageId } of found) ids.set(report, messageId);
  return {
    addressed: reports.flatMap((report) => {
      const messageId = ids.get(report) ?? null;
      return messageId === null ? [] : [{ messageId, report }];
    }),
    unknown: reports.filter((report) => ids.get(report) === null),
    rows: new Map([...named.rows, ...searched.rows]),
    now: named.rows.size > 0 ? named.now : searched.now,
  };
}

/** Merges each status into its row, in order. */
function mergeInto(rows: Map<string, MessageRow>, addressed: readonly Addressed[], now: Date) {
  const events: { messageId: string; event: DerivedEvent }[] = [];
  const findings: StatusFinding[] = [];
  for (const { messageId, report } of addressed) {
    const row = rows.get(messageId);
    if (!row) continue;
    const derived = derive(row, { ...report, sourceKey: `callback:${report.upstreamId}` }, now);
    const upstreamId = row.upstreamId ?? report.upstreamId;
    rows.set(messageId, { ...row, ...derived.columns, upstreamId, inDoubtSince: null });
    events.push(...derived.events.map((event) => ({ messageId, event })));
    const moved = derived.events.filter(({ sequence }) => sequence !== null).map(({ kind }) => kind);
    // An inferred delivery precedes `read` if none was reported. `read` alone says nothing new about the number.
    const news = moved.find((kind) => kind === "failed" || kind === "delivered");
    if (news) findings.push({ row, report, news, now });
  }
  return { events, findings };
}

/**
 * Most often `sent`, which the response to the call already said. Claimed rows are written in any case, because their
 * claim ends.
 */
function isAsBefore(before: MessageRow | undefined, row: MessageRow): boolean {
  return row.claimToken === null && isDeepStrictEqual(before, row);
}

interface StatusFinding {
  readonly row: MessageRow;
  readonly report: StatusReport;
  readonly news: "failed" | "delivered";
  readonly now: Date;
}

/**
 * An older status says nothing about the channel's current state: the upstream redelivers for days what we didn't
 * accept.
 */
const PAUSES_WITHIN_MS = 10 * 60_000;

/** Stores findings about customer, template, channel and number. @returns endpoints to notify after the commit. */
async function storeFindings(
  services: Services,
  tx: TransactionSql,
  findings: readonly StatusFinding[],
): Promise<readonly string[]> {
  const timed = findings.map(({ row, report: { upstreamAt, detail }, news, now }) => {
    const at = upstreamAt !== null && upstreamAt < now ? upstreamAt : now;
    return { row, news, at, now, detail: detail ?? {} };
  });
  const delivered = timed.filter(({ news }) => news === "delivered");
  const known = timed.flatMap((one) => {
    const code = one.detail.upstreamCode;
    const outcome = one.news === "failed" && typeof code === "number" ? upstreamOutcome(code) : null;
    return outcome === null ? [] : [{ ...one, outcome }];
  });
  const endpointIds = await storeEffects(tx, [
    ...delivered.map(({ row, at, detail }) => ({ row, effect: "number_reached" as const, at, detail })),
    ...known.flatMap(({ row, outcome, at, detail }) =>
      outcome.retry === "never" && outcome.effect ? [{ row, effect: outcome.effect, at, detail }] : [],
    ),
  ]);
  await storePauses(
    services,
    tx,
    known.flatMap(({ row, outcome, at, now, detail }) =>
      outcome.retry === "channel" && now.getTime() - at.getTime() < PAUSES_WITHIN_MS
        ? [{ row, reason: outcome.pause, detail }]
        : [],
    ),
  );
  return endpointIds;
}

/** Finds each status's message: by our id, else by wamid, else for `failed` by the only attempt it can be about. */
async function resolve(
  tx: TransactionSql,
  organizationId: string,
  channelId: string,
  reports: readonly StatusReport[],
): Promise<Addressed[]> {
  const rows = await tx<{ position: number; messageId: string }[]>`
    select r.position::int, coalesce(
      (select m.id from messages m where m.organization_id = ${organizationId} and m.channel_id = ${channelId}
        and m.id = r.message_id and m.kind = 'outbound'),
      (select m.id from messages m where m.organization_id = ${organizationId} and m.channel_id = ${channelId}
        and m.upstream_id = r.upstream_id and m.kind = 'outbound'),
      -- A failed status can come without our id; then it is about the only attempt to that number whose end isn't known,
      -- once that is in doubt: the answer to a call may yet tell more.
      (select min(a.message_id::text)::uuid from message_attempts a
        where r.kind = 'failed' and r.message_id is null
          and a.organization_id = ${organizationId} and a.channel_id = ${channelId}
          and a.recipient in (r.recipient, r.other_form) and (a.outcome is null or a.outcome = 'uncertain')
        having count(*) = 1 and count(a.outcome) = 1)) as "messageId"
    from unnest(
      ${reports.map((report) => report.messageId)}::uuid[], ${reports.map((report) => report.upstreamId)}::text[],
      ${reports.map((report) => report.kind)}::text[], ${reports.map((report) => report.recipient)}::text[],
      ${reports.map((report) => otherForm(report.recipient))}::text[]
    ) with ordinality as r (message_id, upstream_id, kind, recipient, other_form, position)
    order by r.position`;
  return rows.flatMap(({ position, messageId }) => {
    const report = reports[position - 1];
    return report && messageId !== null ? [{ messageId, report }] : [];
  });
}

/** WhatsApp uses its own written form of a number, whichever was dialled. */
function otherForm(recipient: string | null): string | null {
  return recipient === null ? null : (equivalentHandles(recipient)[1] ?? null);
}

/**
 * Keeps statuses to be joined by wamid, without the customer's number. A failure that names no message also keeps the
 * number, as dialled, but only while an attempt to it may turn out to be the one.
 */
async function keepUnmatched(
  tx: TransactionSql,
  organizationId: string,
  channelId: string,
  reports: readonly StatusReport[],
): Promise<void> {
  if (reports.length === 0) return;
  const nameless = reports.map(({ kind, messageId, recipient }) =>
    kind === "failed" && messageId === null ? recipient : null,
  );
  await tx`
    insert into unmatched_statuses (id, organization_id, channel_id, upstream_id, status, entry, recipient)
    select r.id, ${organizationId}, ${channelId}, r.upstream_id, r.status, r.entry::jsonb,
      (select min(a.recipient) from message_attempts a
        where r.recipient is not null and a.organization_id = ${organizationId} and a.channel_id = ${channelId}
          and a.recipient in (r.recipient, r.other_form) and (a.outcome is null or a.outcome = 'uncertain'))
    from unnest(
      ${reports.map(() => newId())}::uuid[], ${reports.map((report) => report.upstreamId)}::text[],
      ${reports.map((report) => report.kind)}::text[], ${reports.map((report) => JSON.stringify({ ...report, recipient: null }))}::text[],
      ${nameless}::text[], ${nameless.map(otherForm)}::text[]
    ) as r (id, upstream_id, status, entry, recipient, other_form)
    order by r.upstream_id, r.status
    on conflict (upstream_id, channel_id, status) do nothing`;
}

/** Any status shows that the message was handed over, so none of its attempts stays open or in doubt. */
async function settleAttempts(tx: TransactionSql, rows: readonly MessageRow[]): Promise<void> {
  await tx`
    -- Lost in a crash of PostgreSQL, statuses are applied again: the raw callback, or the kept status, is stored durably.
    with relaxed as materialized (select set_config('synchronous_commit', 'off', true) as setting),
    -- Read by key first, as in record-outcomes.ts.
    found as materialized (
      select id, message_id, outcome from message_attempts
      where (select setting from relaxed) is not null and message_id = any(${rows.map((row) => row.id)}::uuid[]) and (outcome is null or outcome = 'uncertain'))
    update message_attempts a
    set outcome = 'accepted', finished_at = coalesce(a.finished_at, clock_timestamp()), upstream_id = r.upstream_id
    from unnest(${rows.map((row) => row.id)}::uuid[], ${rows.map((row) => row.upstreamId)}::text[])
      as r (message_id, upstream_id)
    join found f on f.message_id = r.message_id
    where a.id = f.id`;
}
