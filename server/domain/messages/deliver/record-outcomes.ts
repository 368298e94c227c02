import { unseenArray } from "@/db/unseen-array";
import type { TransactionSql } from "@/db/client";
import { retryOnConflict } from "@/db/errors";
import type { Services } from "@/server/core/context";
import { resumeAnswering } from "@/server/domain/channels/resume";
import type { PauseReason } from "@/server/adapters/whatsapp/pause-reasons";
import type { CallOutcome } from "@/server/adapters/whatsapp/answer";
import type { OutcomeEffect } from "@/server/adapters/whatsapp/upstream-code";
import { notifyEndpoints } from "@/server/domain/webhooks/outbox/store-events";
import { announce } from "../status/announce";
import { pairLimitSeconds, retryDelaySeconds } from "./backoff";
import { countStates } from "../status/count-states";
import { derive, type Evidence } from "../status/derive";
import { storeEffects, storePairLimits, storePauses } from "../status/effects";
import {
  appendEvents,
  lockMessages,
  type MessageEvent,
  type MessageRow,
  saveMessages,
} from "../status/message-rows";

/** The result of a call to WhatsApp. */
export interface CallResult {
  readonly attemptId: string;
  readonly messageId: string;
  readonly outcome: CallOutcome;
  /** The call referred to a file that was uploaded before the message was accepted. */
  readonly isMediaIdReused?: boolean;
}

/** A retried message holds its successors for this long after its first retry, and never again. */
const HOLD_MS = 60_000;

interface Merge {
  readonly row: MessageRow;
  readonly events: MessageEvent["event"][];
  readonly finding: Finding;
}

/** Findings of a result beyond its message. */
type Finding =
  | { readonly kind: "nothing" }
  | { readonly kind: "works" }
  | { readonly kind: "effect"; readonly effect: OutcomeEffect }
  | { readonly kind: "pair_limit" }
  | { readonly kind: "pause"; readonly reason: PauseReason };

const NOTHING: Finding = { kind: "nothing" };

/**
 * Stores the outcomes of calls in one transaction: attempts, messages, timeline, and findings about customer, channel
 * and template. Idempotent: a settled attempt doesn't change, except that a late response may turn `uncertain` into
 * accepted or rejected, never into retry.
 */
export async function recordOutcomes(services: Services, results: readonly CallResult[]): Promise<void> {
  const { merges, endpointIds } = await retryOnConflict(() =>
    services.sql.begin(async (tx) => {
      const ids = results.map((result) => result.messageId);
      // The statements are pipelined and run in this order: the rows are locked before the attempts are settled.
      const [{ rows, now }, settled] = await Promise.all([
        lockMessages(tx, ids),
        settleAttempts(tx, results),
      ]);
      const merges = mergeAll(results, rows, (result) => settled.has(result.attemptId), now);
      const endpointIds = await storeMerges(services, tx, merges, now);
      await resumeProven(tx, results, rows);
      return { merges, endpointIds };
    }),
  );
  notifyEndpoints(services, endpointIds);
  countMerges(services, merges);
}

/** The result of preparing a call, such as uploading its file, if no call was possible. */
export interface UncalledResult {
  readonly messageId: string;
  readonly claimToken: string;
  /** Nothing was handed over: `retry` or `rejected`. */
  readonly outcome: Extract<CallOutcome, { kind: "retry" | "rejected" }>;
}

/** Stores why a claimed message allowed no call. Does nothing if the claim belongs to us no longer. */
export async function recordUncalled(services: Services, result: UncalledResult): Promise<void> {
  const { merges, endpointIds } = await retryOnConflict(() =>
    services.sql.begin(async (tx) => {
      const { rows, now } = await lockMessages(tx, [result.messageId]);
      const isOurs = rows.get(result.messageId)?.claimToken === result.claimToken;
      if (!isOurs) return { merges: [], endpointIds: [] };
      const asAttempt = { ...result, attemptId: result.claimToken };
      const merges = mergeAll([asAttempt], rows, () => true, now);
      return { merges, endpointIds: await storeMerges(services, tx, merges, now) };
    }),
  );
  notifyEndpoints(services, endpointIds);
  countMerges(services, merges);
}

function countMerges(services: Services, merges: readonly Merge[]): void {
  countStates(
    services,
    merges.flatMap(({ events }) => events),
  );
}

function mergeAll(
  results: readonly CallResult[],
  rows: ReadonlyMap<string, MessageRow>,
  isSettledNow: (result: CallResult) => boolean,
  now: Date,
): Merge[] {
  const changed = new Map<string, MessageRow>();
  return results.flatMap((result) => {
    const row = changed.get(result.messageId) ?? rows.get(result.messageId);
    const merged = row ? merge(row, result, isSettledNow(result), now) : null;
    if (!merged) return [];
    changed.set(merged.row.id, merged.row);
    return [merged];
  });
}

async function storeMerges(
  services: Services,
  tx: TransactionSql,
  merges: readonly Merge[],
  now: Date,
): Promise<readonly string[]> {
  const changed = new Map(merges.map(({ row }) => [row.id, row]));
  const timeline = merges.flatMap(({ row, events }) => events.map((event) => ({ message: row, event })));
  const of = <K extends Finding["kind"]>(kind: K) =>
    merges.flatMap(({ row, finding, events }) =>
      isFinding(finding, kind) ? [{ row, finding, detail: events[0]?.detail ?? {} }] : [],
    );
  const [announced] = await Promise.all([
    announce(tx, services, timeline, now),
    saveMessages(tx, [...changed.values()]),
    appendEvents(tx, timeline),
  ]);
  await storePairLimits(tx, {
    hit: of("pair_limit").map(({ row }) => row),
    passed: of("works").flatMap(({ row }) => (row.pairLimitStreak > 0 ? [row] : [])),
  });
  const more = await storeEffects(
    tx,
    of("effect").map(({ row, finding, detail }) => ({ row, effect: finding.effect, at: now, detail })),
  );
  await storePauses(
    services,
    tx,
    of("pause").map(({ row, finding, detail }) => ({ row, reason: finding.reason, detail })),
  );
  return [...announced, ...more];
}

function isFinding<K extends Finding["kind"]>(
  finding: Finding,
  kind: K,
): finding is Extract<Finding, { kind: K }> {
  return finding.kind === kind;
}

/** A definite response to a call that started after its channel was paused shows that the channel works again. */
async function resumeProven(
  tx: TransactionSql,
  results: readonly CallResult[],
  rows: ReadonlyMap<string, MessageRow>,
): Promise<void> {
  const clear = results.filter(
    ({ messageId, outcome }) =>
      (outcome.kind === "accepted" || outcome.kind === "rejected") &&
      outcome.detail.httpStatus !== null &&
      rows.get(messageId)?.isChannelPaused === true,
  );
  if (clear.length > 0)
    await resumeAnswering(
      tx,
      clear.map(({ attemptId }) => attemptId),
    );
}

function merge(row: MessageRow, result: CallResult, isSettledNow: boolean, now: Date): Merge | null {
  const { outcome } = result;
  switch (outcome.kind) {
    case "accepted": {
      const known = { ...row, upstreamId: row.upstreamId ?? outcome.upstreamId };
      return { ...withEvidence(known, evidenceOf(result), now), finding: { kind: "works" } };
    }
    case "rejected": {
      if (!isSettledNow) return null;
      const finding: Finding = outcome.effect ? { kind: "effect", effect: outcome.effect } : NOTHING;
      if (needsFreshMedia(row, result)) return { ...retried(row, result, undefined, now), finding };
      return { ...withEvidence(row, evidenceOf(result), now), finding };
    }
    case "retry":
      return isSettledNow && row.state === "queued" ? retried(row, result, outcome.pauseReason, now) : null;
    case "uncertain":
      return isSettledNow && row.state === "queued" ? doubted(row, result, now) : null;
  }
}

/**
 * The file is uploaded once more, and the message retried with its new id. That upload is younger than the message, so
 * a second refusal concerns the message itself.
 */
function needsFreshMedia(row: MessageRow, { outcome, isMediaIdReused }: CallResult): boolean {
  const isDoubted = outcome.kind === "rejected" && outcome.effect === "media_id_doubted";
  return isDoubted && isMediaIdReused === true && row.state === "queued" && row.inDoubtSince === null;
}

function evidenceOf({ attemptId, outcome }: CallResult): Evidence {
  const isRejected = outcome.kind === "rejected";
  return {
    kind: isRejected ? "failed" : "sent",
    sourceKey: `attempt:${attemptId}`,
    upstreamAt: null,
    errorCode: isRejected ? outcome.code : null,
    detail: isRejected ? { ...outcome.detail } : null,
  };
}

function withEvidence(row: MessageRow, evidence: Evidence, now: Date): Omit<Merge, "finding"> {
  const { columns, events } = derive(row, evidence, now);
  return { row: { ...row, ...columns, inDoubtSince: null }, events: [...events] };
}

/**
 * Only delays of the message itself count as a try and hold its successors for a while. A customer's pair limit or the
 * channel delays all following messages anyway, and must not let them overtake.
 */
function retried(
  row: MessageRow,
  result: CallResult,
  pauseReason: "conversation" | PauseReason | undefined,
  now: Date,
): Merge {
  const events: Merge["events"] = [
    { kind: "retry", sourceKey: `attempt:${result.attemptId}`, detail: { ...result.outcome.detail } },
  ];
  if (pauseReason === "conversation") {
    const nextAttemptAt = new Date(now.getTime() + pairLimitSeconds(row.pairLimitStreak + 1) * 1000);
    return { row: { ...row, nextAttemptAt }, events, finding: { kind: "pair_limit" } };
  }
  if (pauseReason !== undefined) return { row, events, finding: { kind: "pause", reason: pauseReason } };
  const attempts = row.attempts + 1;
  const nextAttemptAt = new Date(now.getTime() + retryDelaySeconds(attempts) * 1000);
  const holdUntil = row.holdUntil ?? new Date(now.getTime() + HOLD_MS);
  return { row: { ...row, attempts, nextAttemptAt, holdUntil }, events, finding: NOTHING };
}

function doubted(row: MessageRow, result: CallResult, now: Date): Merge {
  return {
    row: { ...row, inDoubtSince: row.inDoubtSince ?? now },
    events: [
      { kind: "uncertain", sourceKey: `attempt:${result.attemptId}`, detail: { ...result.outcome.detail } },
    ],
    finding: NOTHING,
  };
}

/** Closes attempts, and returns those that this call closed. */
async function settleAttempts(
  tx: TransactionSql,
  results: readonly CallResult[],
): Promise<ReadonlySet<string>> {
  const column = <T>(pick: (result: CallResult) => T): T[] => results.map(pick);
  const ids = column((result) => result.attemptId);
  const rows = await tx<{ id: string }[]>`
    -- Read by key first: the planner would rather walk all open attempts, and what is left of those that were.
    with found as materialized (
      select a.id, a.outcome, m.erased_at is null as is_kept
      from message_attempts a join messages m on m.id = a.message_id
      where a.id = any(${unseenArray(tx, ids)}))
    update message_attempts a set outcome = r.outcome, finished_at = clock_timestamp(), http_status = r.http_status,
      upstream_code = r.upstream_code, upstream_id = r.upstream_id,
      detail = case when f.is_kept then jsonb_strip_nulls(jsonb_build_object('reason', r.reason, 'title', r.title)) end
    from unnest(
      ${unseenArray(tx, ids)}, ${column((result) => result.outcome.kind)}::text[],
      ${column((result) => result.outcome.detail.httpStatus)}::int[],
      ${column((result) => result.outcome.detail.upstreamCode)}::int[],
      ${column((result) => (result.outcome.kind === "accepted" ? result.outcome.upstreamId : null))}::text[],
      ${column((result) => result.outcome.detail.reason)}::text[],
      ${column((result) => result.outcome.detail.title ?? null)}::text[]
    ) as r (id, outcome, http_status, upstream_code, upstream_id, reason, title)
    join found f on f.id = r.id
    where a.id = r.id and (f.outcome is null or (f.outcome = 'uncertain' and r.outcome in ('accepted', 'rejected')))
    returning a.id`;
  return new Set(rows.map((row) => row.id));
}
