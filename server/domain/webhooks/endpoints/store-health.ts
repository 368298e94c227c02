import type { TransactionSql } from "@/db/client";
import type { SystemActor } from "@/server/core/actor";
import { recordAuditBySql } from "@/server/core/audit/record";
import type { Context, Services } from "@/server/core/context";
import { type Health, healthAfter, type Trial } from "./health";

interface EndpointTrial extends Trial {
  readonly endpointId: string;
}

interface EndpointRow extends Health {
  readonly id: string;
  readonly organizationId: string;
  readonly isDisabled: boolean;
  readonly healthSince: Date;
  readonly now: Date;
}

/**
 * Stores the effects of attempts on their endpoints: since when they fail, how long they back off, and whether they are
 * disabled. Endpoints are locked in id order. The work spans organizations; each row has its own.
 * @param results of endpoints that fail or have failed before: a success changes nothing else.
 * @returns a function to call after the commit: it logs the changes.
 */
export async function storeHealth(
  tx: TransactionSql,
  services: Services,
  results: readonly {
    readonly delivery: { endpointId: string; startedAt: Date };
    readonly attemptResult: Trial["attemptResult"];
  }[],
): Promise<() => void> {
  const trials = results.map(({ delivery, attemptResult }) => ({ ...delivery, attemptResult }));
  const logs: (() => void)[] = [];
  if (trials.length === 0) return () => undefined;
  for (const row of await lockEndpoints(tx, trials)) {
    const own = trials.filter(
      ({ endpointId, startedAt }) => endpointId === row.id && startedAt >= row.healthSince,
    );
    if (own.length > 0) logs.push(await store(tx, services, row, own));
  }
  return () => logs.forEach((log) => log());
}

async function lockEndpoints(tx: TransactionSql, trials: readonly EndpointTrial[]): Promise<EndpointRow[]> {
  const ids = [...new Set(trials.map(({ endpointId }) => endpointId))].sort();
  return tx<EndpointRow[]>`
    select id, organization_id as "organizationId", disabled_at is not null or deleted_at is not null as "isDisabled",
      health_since as "healthSince", failing_since as "failingSince", last_failed_at as "lastFailedAt", warned_at as "warnedAt",
      backoff_until as "backoffUntil", backoff_set_at as "backoffSetAt", backoff_streak as "backoffStreak",
      clock_timestamp() as now
    from webhook_endpoints
    where id = any(${ids}::uuid[])
    order by id for no key update`;
}

async function store(
  tx: TransactionSql,
  services: Services,
  row: EndpointRow,
  trials: readonly EndpointTrial[],
): Promise<() => void> {
  const { health, isWarning, disabling } = healthAfter(row, trials, row.now);
  const reason = row.isDisabled ? null : disabling;
  await tx`
    update webhook_endpoints set failing_since = ${health.failingSince}, last_failed_at = ${health.lastFailedAt},
      warned_at = ${health.warnedAt}, backoff_until = ${health.backoffUntil},
      backoff_set_at = ${health.backoffSetAt}, backoff_streak = ${health.backoffStreak},
      disabled_at = case when ${reason}::text is null then disabled_at else ${row.now} end,
      disabled_reason = coalesce(${reason}::text, disabled_reason)
    where id = ${row.id} and organization_id = ${row.organizationId}`;
  if (reason === null && !isWarning) return () => undefined;
  const actor: SystemActor = { kind: "system", organizationId: row.organizationId, job: "webhooks" };
  const ctx: Context = { services, actor, requestId: null };
  const facts = { failingSince: health.failingSince?.toISOString() ?? null };
  await recordAuditBySql(tx, ctx, {
    action: reason === null ? "webhook.failing" : "webhook.disabled",
    subjectKind: "webhook",
    subjectId: row.id,
    detail: reason === null ? facts : { ...facts, reason },
  });
  const { organizationId, id: endpointId } = row;
  return () =>
    services.log.warn({ organizationId, endpointId, reason, ...facts }, "a webhook endpoint is failing");
}
