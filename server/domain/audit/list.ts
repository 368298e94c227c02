import { z } from "zod";
import { requireCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { timeInput, sinceInput } from "@/server/core/input/time-input";
import {
  decodeCursor,
  encodeCursor,
  type ListTotal,
  type Page,
  pageInput,
  TOTAL_MAX,
} from "@/server/core/paging";
import { isUuid } from "@/server/lib/uuid";
import { findNamed, type Named } from "./find-named";
import { type AuditPosition, countAudit, selectAudit } from "./select";
import type { AuditView } from "./view";

const TEXT_LENGTH_MAX = 200;
const word = z.string().max(TEXT_LENGTH_MAX);

export const auditFilterInput = {
  /** A name, an email address or an id: of the subject, or of the member who did it. */
  q: word.optional(),
  action: word.optional(),
  actorKind: z.enum(["key", "member", "system"]).optional(),
  /** Id of a key or member, or the name of a job or command. */
  actorId: word.optional(),
  subjectKind: word.optional(),
  subjectId: word.optional(),
  /** Inclusive. */
  since: sinceInput.optional(),
  /** Exclusive. */
  until: timeInput.optional(),
} as const;

export const countAuditInput = z.strictObject(auditFilterInput);
export const listAuditInput = z.strictObject({ ...auditFilterInput, ...pageInput });

const LIST = "audit";

/**
 * Lists the acts in the organization, newest first. A page can have fewer than `limit` rows, even none, and still have
 * a next page: if few rows match, each page examines only a part of them. Unknown ids, and ids of another organization,
 * match nothing.
 * @throws WaypostError `permission_denied` without `audit.read`; `validation_failed`.
 */
export async function listAudit(args: {
  ctx: Context;
  input: z.output<typeof listAuditInput>;
}): Promise<Page<AuditView>> {
  const { ctx } = args;
  requireCapability(ctx.actor, "audit.read");
  const { limit, cursor, q, ...filter } = args.input;
  const after = positionOf(decodeCursor(ctx, LIST, cursor));
  if (filter.subjectId !== undefined && !isUuid(filter.subjectId)) return { data: [], next_cursor: null };
  const named = await namedBy(ctx, q);
  const { rows, examinedUntil } = await selectAudit(ctx, { filter, named, after, rowsMax: limit + 1 });
  const shown = rows.slice(0, limit);
  const end = rows.length > limit ? (shown.at(-1)?.position ?? null) : examinedUntil;
  return {
    data: shown.map(({ view }) => view),
    next_cursor: end === null ? null : encodeCursor(ctx, LIST, [end.at, end.id]),
  };
}

/**
 * Counts what `listAudit` lists, up to a maximum.
 * @throws WaypostError `permission_denied` without `audit.read`; `validation_failed`.
 */
export async function countListedAudit(args: {
  ctx: Context;
  input: z.output<typeof countAuditInput>;
}): Promise<ListTotal> {
  const { ctx } = args;
  requireCapability(ctx.actor, "audit.read");
  const { q, ...filter } = args.input;
  if (filter.subjectId !== undefined && !isUuid(filter.subjectId)) return { count: 0, isMore: false };
  return countAudit(ctx, { filter, named: await namedBy(ctx, q), countMax: TOTAL_MAX });
}

/** Resolves the search text; null if there is none. */
export async function namedBy(ctx: Context, q: string | undefined): Promise<Named | null> {
  const text = q?.trim() ?? "";
  return text === "" ? null : findNamed(ctx, text);
}

function positionOf(position: readonly string[] | null): AuditPosition | null {
  const [at, id] = position ?? [];
  return at === undefined || id === undefined ? null : { at, id };
}
