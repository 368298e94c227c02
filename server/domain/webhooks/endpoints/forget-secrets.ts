import type { Services } from "@/server/core/context";

/** Deletes previous secrets that no longer sign. Never throws: the next hourly run deletes the rest. */
export async function forgetEndedSecrets({ sql, log }: Services): Promise<void> {
  try {
    await sql`delete from webhook_former_secrets where ends_at <= now()`;
  } catch (error) {
    log.error({ err: error }, "former secrets of webhook endpoints could not be forgotten");
  }
}
