import type { Services } from "../context";
import { ensureMediaId } from "../uploads/media-id";
import { failWithoutCall } from "./fail-without-call";
import { handOver } from "./hand-over";
import { openAttempts, type WaitingForMedia } from "./open-attempts";
import { recordUncalled } from "./record-outcomes";

/** Longer than an upload may take: nobody else claims the message meanwhile. */
const LEASE_SECONDS = 300;

/**
 * Uploads the file that a claimed message names, then makes the call. No attempt row stands while it uploads: the
 * customer can't have got anything yet, so whatever goes wrong is a retry. Never throws.
 */
export async function handOverWithMedia(services: Services, message: WaitingForMedia): Promise<void> {
  const { id, claimToken, organizationId, uploadId, channel } = message;
  try {
    if (!(await extendClaim(services, message))) return;
    const media = await ensureMediaId(services, { organizationId, uploadId, channel });
    if (media.kind === "failed") {
      await recordUncalled(services, { messageId: id, claimToken, outcome: media.outcome });
      return;
    }
    const openedAtMs = performance.now();
    const { opened, failing } = await openAttempts(services, [message]);
    for (const { code } of failing) await failWithoutCall(services, [message], code);
    for (const attempt of opened) await handOver(services, attempt, openedAtMs);
  } catch (error) {
    // The claim runs out, and the sweep gives the message free.
    services.log.warn({ err: error, messageId: id }, "a message with a file could not be handed over");
  }
}

/** False where the claim is no longer ours. */
async function extendClaim(services: Services, message: WaitingForMedia): Promise<boolean> {
  const rows = await services.sql`
    update messages set claimed_until = now() + make_interval(secs => ${LEASE_SECONDS})
    where organization_id = ${message.organizationId} and id = ${message.id} and state = 'queued'
      and claim_token = ${message.claimToken}
    returning id`;
  return rows.length > 0;
}
