import type { Services } from "../context";

/** Removes what has ended: sign-ins, what was begun and not gone on with, and counts of attempts. */
export async function sweepSignIns({ sql }: Services): Promise<void> {
  await sql`delete from sessions where expires_at <= clock_timestamp()`;
  await sql`delete from verifications where expires_at <= clock_timestamp()`;
  await sql`delete from sign_in_attempts where window_ends_at <= clock_timestamp()`;
}
