import { findByName } from "@/server/domain/contacts/find-by-name";
import type { Context } from "@/server/core/context";
import { isUuid } from "@/server/lib/uuid";

/** The matches of a search text: subjects of acts, and members who may have done them. */
export interface Named {
  readonly subjectIds: readonly string[];
  readonly memberIds: readonly string[];
}

/** Maximum matches per kind, newest first. If more match, the text is too short. */
const NAMED_MAX = 20;

/**
 * Resolves a search text. An id names the thing that has it. Any other text matches parts of names of the
 * organization's members (by name and email address), invitations, keys, webhook endpoints, channels and templates,
 * and finds contacts as their own list does.
 */
export async function findNamed(ctx: Context, text: string): Promise<Named> {
  if (isUuid(text)) return { subjectIds: [text], memberIds: [] };
  const [{ memberIds, others }, contacts] = await Promise.all([
    findInTables(ctx, text),
    findByName(ctx, text),
  ]);
  const subjectIds = [...memberIds, ...others, ...contacts.contactIds.toSorted().slice(-NAMED_MAX)];
  return { subjectIds, memberIds };
}

/** SQL: a webhook endpoint's name: its description, else its URL without the query, which may contain tokens. */
export const WEBHOOK_NAME = "coalesce(nullif(description, ''), regexp_replace(url, '[?#].*', ''))";

interface Found {
  readonly memberIds: readonly string[];
  readonly others: readonly string[];
}

async function findInTables({ services, actor }: Context, text: string): Promise<Found> {
  const { sql } = services;
  const { organizationId } = actor;
  const isIn = (column: string) => sql`strpos(lower(${sql.unsafe(column)}), lower(${text})) > 0`;
  const named = (table: string, column: string) => sql`(
    select id from ${sql(table)} where organization_id = ${organizationId} and ${isIn(column)}
    order by id desc limit ${NAMED_MAX})`;
  const [found] = await sql<Found[]>`
    select
      array(select m.id from members m join users u on u.id = m.user_id
        where m.organization_id = ${organizationId} and (${isIn("u.name")} or ${isIn("u.email")})
        order by m.id desc limit ${NAMED_MAX}) as "memberIds",
      array(${named("invitations", "email")} union all ${named("api_keys", "name")}
        union all ${named("webhook_endpoints", WEBHOOK_NAME)}
        union all ${named("channels", "name")} union all ${named("templates", "name")}) as others`;
  return found ?? { memberIds: [], others: [] };
}
