import type { Demo } from "./demo";
import { seedDemoOrganization, type DemoOptions } from "./create";
import { DEMO_FLAG } from "@/server/domain/organizations/claim";

/** Id of the lock that all processes of an installation use to create the first demo. */
const FIRST_START_LOCK = 7_261_906_202;

/**
 * Creates the demo organization at the first start of a database, once. Null if it was created before. If several
 * processes start concurrently, one creates it and the others wait. The flag is set last, so after a crash half way
 * through, the next start creates a complete one. The simulator isn't notified, because the start does that for all
 * channels.
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
