import { findByName } from "@/server/domain/contacts/find-by-name";
import type { Context } from "@/server/core/context";
import { isUuid } from "@/server/lib/uuid";

/** What a search text names: things that acts are about, and members who may have done them. */
export interface Named {
  readonly subjectIds: readonly string[];
  readonly memberIds: readonly string[];
}

/** Of each kind of thing, the newest. A text that more are called by is worth a further word. */
const NAMED_MAX = 20;

/**
 * An id names what has it. Any other text names those of the organization's members (by name and e-mail address),
 * invitations, keys, webhook endpoints, channels and templates that it is a part of the name of, and contacts as their own list finds them.
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

/** What a webhook endpoint is called: as it is described, else by its URL; the query is left out, where tokens may be. */
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
