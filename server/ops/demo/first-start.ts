import type { Demo } from "./demo";
import { seedDemoOrganization, type DemoOptions } from "./create";
import { DEMO_FLAG } from "@/server/domain/organizations/claim";

/** A number that all processes of an installation share; the lock under which the first demo is made. */
const FIRST_START_LOCK = 7_261_906_202;

/**
 * Makes the demo organization at the first start of a database, once; null when it was made before. Of processes that
 * start at once one makes it and the others wait for it. The flag is set when all else is done, so after a crash half
 * way through the next start makes a whole one. The simulator isn't told: the start does that for all channels.
 */
export async function firstStart(options: DemoOptions): Promise<Demo | null> {
  const { services } = options;
  return services.sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${FIRST_START_LOCK})`;
    const flags = await tx`select 1 from installation where name = ${DEMO_FLAG}`;
    if (flags.length > 0) return null;
    const made = await seedDemoOrganization(options);
    await tx`insert into installation (name, value) values (${DEMO_FLAG}, ${made.organization_id})`;
    return made;
  });
}
