import type { TransactionSql } from "@/db/client";
import { retryOnConflict } from "@/db/errors";
import type { Services } from "../context";
import type { CallOutcome } from "../whatsapp/answer";
import { retryDelaySeconds } from "./backoff";
import { derive, type Evidence } from "./derive";
import { appendEvents, lockMessages, type MessageEvent, type MessageRow, saveMessages } from "./message-rows";

/** What a call upstream came to. */
export interface AttemptResult {
  readonly attemptId: string;
  readonly messageId: string;
  readonly outcome: CallOutcome;
}

/** A message that was retried holds its successors for so long after its first retry, and never again. */
const HOLD_MS = 60_000;

interface Merge {
  readonly row: MessageRow;
  readonly events: MessageEvent["event"][];
}

/**
 * Stores what calls came to: attempts, messages and timeline together. Idempotent: an attempt that is settled already
 * changes nothing more, but a late answer may turn `uncertain` into accepted or rejected, never into retry.
 */
export async function recordOutcomes(services: Services, results: readonly AttemptResult[]): Promise<void> {
  await retryOnConflict(() =>
    services.sql.begin(async (tx) => {
      const ids = results.map((result) => result.messageId);
      // Sent together, run in this order: the rows are locked before the attempts are settled.
      const [{ rows, now }, settled] = await Promise.all([
        lockMessages(tx, ids),
        settleAttempts(tx, results),
      ]);
      const merges: Merge[] = [];
      const changed = new Map<string, MessageRow>();
      for (const result of results) {
        const row = changed.get(result.messageId) ?? rows.get(result.messageId);
        const merged = row ? merge(row, result, settled.has(result.attemptId), now) : null;
        if (!merged) continue;
        changed.set(merged.row.id, merged.row);
        merges.push(merged);
      }
      const timeline = merges.flatMap(({ row, events }) => events.map((event) => ({ message: row, event })));
      await Promise.all([saveMessages(tx, [...changed.values()]), appendEvents(tx, timeline)]);
    }),
  );
}

function merge(row: MessageRow, result: AttemptResult, isSettledNow: boolean, now: Date): Merge | null {
  const { outcome } = result;
  switch (outcome.kind) {
    case "accepted":
      return withEvidence(
        { ...row, upstreamId: row.upstreamId ?? outcome.upstreamId },
        evidenceOf(result),
        now,
      );
    case "rejected":
      return isSettledNow ? withEvidence(row, evidenceOf(result), now) : null;
    case "retry":
      return isSettledNow && row.state === "queued" ? retried(row, result, now) : null;
    case "uncertain":
      return isSettledNow && row.state === "queued" ? doubted(row, result, now) : null;
  }
}

function evidenceOf({ attemptId, outcome }: AttemptResult): Evidence {
  const isRejected = outcome.kind === "rejected";
  return {
    kind: isRejected ? "failed" : "sent",
    sourceKey: `attempt:${attemptId}`,
    upstreamAt: null,
    errorCode: isRejected ? outcome.code : null,
    detail: isRejected ? { ...outcome.detail } : null,
  };
}

function withEvidence(row: MessageRow, evidence: Evidence, now: Date): Merge {
  const { columns, events } = derive(row, evidence, now);
  return { row: { ...row, ...columns, inDoubtSince: null }, events: [...events] };
}

function retried(row: MessageRow, result: AttemptResult, now: Date): Merge {
  const attempts = row.attempts + 1;
  const nextAttemptAt = new Date(now.getTime() + retryDelaySeconds(attempts) * 1000);
  const holdUntil = row.holdUntil ?? new Date(now.getTime() + HOLD_MS);
  return {
    row: { ...row, attempts, nextAttemptAt, holdUntil },
    events: [
      { kind: "retry", sourceKey: `attempt:${result.attemptId}`, detail: { ...result.outcome.detail } },
    ],
  };
}

function doubted(row: MessageRow, result: AttemptResult, now: Date): Merge {
  return {
    row: { ...row, inDoubtSince: row.inDoubtSince ?? now },
    events: [
      { kind: "uncertain", sourceKey: `attempt:${result.attemptId}`, detail: { ...result.outcome.detail } },
    ],
  };
}

/** Closes attempts, and says which of them this call closed. */
async function settleAttempts(
  tx: TransactionSql,
  results: readonly AttemptResult[],
): Promise<ReadonlySet<string>> {
  const column = <T>(pick: (result: AttemptResult) => T): T[] => results.map(pick);
  const rows = await tx<{ id: string }[]>`
    -- Read by key first: the planner would rather walk all open attempts, and what is left of those that were.
    with found as materialized (
      select id, outcome from message_attempts where id = any(${column((result) => result.attemptId)}::uuid[]))
    update message_attempts a set outcome = r.outcome, finished_at = clock_timestamp(), http_status = r.http_status,
      upstream_code = r.upstream_code, upstream_id = r.upstream_id, detail = jsonb_build_object('reason', r.reason)
    from unnest(
      ${column((result) => result.attemptId)}::uuid[], ${column((result) => result.outcome.kind)}::text[],
      ${column((result) => result.outcome.detail.httpStatus)}::int[],
      ${column((result) => result.outcome.detail.upstreamCode)}::int[],
      ${column((result) => (result.outcome.kind === "accepted" ? result.outcome.upstreamId : null))}::text[],
      ${column((result) => result.outcome.detail.reason)}::text[]
    ) as r (id, outcome, http_status, upstream_code, upstream_id, reason)
    join found f on f.id = r.id
    where a.id = r.id and (f.outcome is null or (f.outcome = 'uncertain' and r.outcome in ('accepted', 'rejected')))
    returning a.id`;
  return new Set(rows.map((row) => row.id));
}
