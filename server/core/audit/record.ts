import type { OrmTransaction, TransactionSql } from "@/db/client";
import { auditLog, newId } from "@/db/schema";
import type { Actor } from "../actor";
import type { Context } from "../context";
import type { AuditAction, AuditSubject } from "./actions";

export interface AuditEntry {
  /** `<noun>.<verb in the past>`, such as `key.rotated`. */
  readonly action: AuditAction;
  readonly subjectKind: AuditSubject;
  readonly subjectId: string;
  /** The state before and after the action, without secrets. */
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** Writes an audit row in the transaction of the action itself, so that neither exists without the other. */
export async function recordAudit(tx: OrmTransaction, ctx: Context, entry: AuditEntry): Promise<void> {
  await tx.insert(auditLog).values(rowOf(ctx, entry));
}

/** Like `recordAudit`, for a transaction of hand-written SQL. */
export async function recordAuditBySql(tx: TransactionSql, ctx: Context, entry: AuditEntry): Promise<void> {
  const row = rowOf(ctx, entry);
  await tx`
    insert into audit_log
      (id, organization_id, actor_kind, actor_id, action, subject_kind, subject_id, detail, request_id, address)
    values (${newId()}, ${row.organizationId}, ${row.actorKind}, ${row.actorId}, ${row.action}, ${row.subjectKind},
      ${row.subjectId}, ${JSON.stringify(row.detail)}::text::jsonb, ${row.requestId}, ${row.address})`;
}

function rowOf(ctx: Context, entry: AuditEntry) {
  return {
    organizationId: ctx.actor.organizationId,
    actorKind: ctx.actor.kind,
    actorId: actorId(ctx.actor),
    action: entry.action,
    subjectKind: entry.subjectKind,
    subjectId: entry.subjectId,
    detail: entry.detail ?? {},
    requestId: ctx.requestId,
    address: ctx.actor.kind === "member" ? ctx.actor.address : null,
  };
}

function actorId(actor: Actor): string {
  switch (actor.kind) {
    case "key":
      return actor.keyId;
    case "member":
      return actor.memberId;
    case "system":
      return actor.job;
  }
}
