import { asc, eq } from "drizzle-orm";
import type { Orm } from "@/db/client";
import { organizations } from "@/db/schema";

export interface OrganizationName {
  readonly id: string;
  readonly name: string;
}

const columns = { id: organizations.id, name: organizations.name };

/** All organizations, for an operator's command. */
export async function listOrganizations(orm: Orm): Promise<(OrganizationName & { retentionDays: number })[]> {
  return orm
    .select({ ...columns, retentionDays: organizations.retentionDays })
    .from(organizations)
    .orderBy(asc(organizations.id));
}

/** The organization of that id; null when there is none. The id must be a UUID. */
export async function findOrganization(orm: Orm, id: string): Promise<OrganizationName | null> {
  const [found] = await orm.select(columns).from(organizations).where(eq(organizations.id, id));
  return found ?? null;
}
