import type { Services } from "@/server/core/context";

/** Forgets former secrets that sign no more. Never throws: the next hour's run finds what is left. */
export async function forgetEndedSecrets({ sql, log }: Services): Promise<void> {
  try {
    await sql`delete from webhook_former_secrets where ends_at <= now()`;
  } catch (error) {
    log.error({ err: error }, "former secrets of webhook endpoints could not be forgotten");
  }
}
