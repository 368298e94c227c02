import type { Services } from "@/server/core/context";
import { atOnce, type SweepStep } from "@/server/core/queue/sweep-step";
import { dueEndpoints, releaseExpiredDeliveries } from "./deliver/claim";
import { continueReplays } from "./replay/claim-replays";

/** Repairs webhook state after a crash or a lost wake-up. */
export const WEBHOOK_STEPS: readonly SweepStep[] = [
  { name: "end deliveries of processes that died", settle: releaseExpiredDeliveries },
  { name: "wake webhook endpoints with something due", settle: atOnce(notifyDueEndpoints) },
  { name: "go on with replays of webhooks", settle: atOnce(continueReplays) },
];

/** Notifies every endpoint with a due delivery. */
export async function notifyDueEndpoints(services: Services): Promise<void> {
  for (const endpointId of await dueEndpoints(services)) services.jobs.notifyEndpoint(endpointId);
}

/** Deletes previous secrets that no longer sign. Never throws: the next hourly run deletes the rest. */
export async function forgetEndedSecrets({ sql, log }: Services): Promise<void> {
  try {
    await sql`delete from webhook_former_secrets where ends_at <= now()`;
  } catch (error) {
    log.error({ err: error }, "deleting expired webhook secrets failed");
  }
}
