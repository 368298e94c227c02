import type { Services } from "@/server/core/context";
import { PLACE_DAYS } from "./places";

/**
 * Removes everything expired: sessions, unfinished processes, counts of attempts, and places unused for a long time.
 */
export async function sweepSignIns({ sql }: Services): Promise<void> {
  await sql`delete from sessions where expires_at <= pg_catalog.clock_timestamp()`;
  await sql`delete from verifications where expires_at <= pg_catalog.clock_timestamp()`;
  await sql`delete from sign_in_attempts where window_ends_at <= clock_timestamp()`;
  await sql`
    delete from sign_in_places where last_used_at <= clock_timestamp() - make_interval(days => ${PLACE_DAYS})`;
}
