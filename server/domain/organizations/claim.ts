import { and, asc, eq, sql } from "drizzle-orm";
import type { Orm } from "@/db/client";
import { installation, organizations } from "@/db/schema";

/** The name of the fact in `installation` that stores the first start's demo organization. */
export const DEMO_FLAG = "demo_organization";

export interface OrganizationName {
  readonly id: string;
  readonly name: string;
}

const columns = { id: organizations.id, name: organizations.name };

export interface OrganizationSettings extends OrganizationName {
  readonly retentionDays: number;
  readonly uploadQuotaBytes: number;
  /** Uploads that aren't erased. */
  readonly uploadedBytes: number;
}

/** Lists all organizations, for an operator's command. */
export async function listOrganizations(orm: Orm): Promise<OrganizationSettings[]> {
  const { retentionDays, uploadQuotaBytes, uploadedBytes } = organizations;
  return orm
    .select({ ...columns, retentionDays, uploadQuotaBytes, uploadedBytes })
    .from(organizations)
    .orderBy(asc(organizations.id));
}

/** Finds the organization of that id; null if there is none. The id must be a UUID. */
export async function findOrganization(orm: Orm, id: string): Promise<OrganizationName | null> {
  const [found] = await orm.select(columns).from(organizations).where(eq(organizations.id, id));
  return found ?? null;
}

/** Returns the demo organization of the first start; null if none was created, as on the operator's own database. */
export async function firstDemo(orm: Orm): Promise<string | null> {
  const [found] = await orm
    .select({ id: organizations.id })
    .from(organizations)
    .innerJoin(
      installation,
      and(eq(installation.name, DEMO_FLAG), eq(installation.value, sql`${organizations.id}::text`)),
    );
  return found?.id ?? null;
}
