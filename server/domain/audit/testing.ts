import type { TestWorld } from "@/server/domain/organizations/testing";

interface LoggedAct {
  readonly action: string;
  readonly actorKind: string;
  readonly actorId: string;
  readonly address: string | null;
  readonly subjectKind: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Returns the audit log's entries about a subject, oldest first. */
export async function actsOn(
  { database }: Pick<TestWorld, "database">,
  subjectId: string,
): Promise<LoggedAct[]> {
  const rows = await database.sql<LoggedAct[]>`
    select action, actor_kind as "actorKind", actor_id as "actorId", address, subject_kind as "subjectKind", detail
    from audit_log where subject_id = ${subjectId} order by created_at, id`;
  return [...rows];
}
