import type { Services } from "@/server/core/context";
import { ensureMediaId } from "@/server/domain/uploads/media-id";
import { abandonOnError } from "./abandon-claim";
import { type Claim, releaseClaim } from "./claim";
import { handOver } from "./hand-over";
import { openAttempts, type OpenedAttempt, type WaitingForMedia } from "./open-attempts";
import { recordUncalled } from "./record-outcomes";
import { settleUncalled } from "./settle-uncalled";

/** Renewed during the file's upload, however long that takes. The lease of a crashed process expires. */
const LEASE_SECONDS = 60;
/** A claim survives three failed renewals. */
export const RENEW_EVERY_MS = 15_000;

/**
 * Uploads the file of a claimed message, then makes the call. No attempt is open during the upload: the customer can't
 * have received anything yet, so any failure is a retry. If the call isn't possible, the message is released
 * immediately; also when the process stops, which aborts the upload. Never throws.
 * @param options.isProbe the channel is paused, and this call tests whether it works again.
 * @returns whether the call was made.
 */
export async function handOverWithMedia(
  services: Services,
  message: WaitingForMedia,
  { isProbe }: { isProbe: boolean } = { isProbe: false },
): Promise<boolean> {
  // Only this message: calls for others of its claim may already be running.
  const claim = { token: message.claimToken, messageIds: [message.id] };
  try {
    const ready = await abandonOnError(services, claim, () => prepare(services, message, claim, isProbe));
    if (ready === null) return false;
    await handOver(services, ready.attempt, ready.openedAtMs);
    return true;
  } catch (error) {
    services.log.warn(
      { err: error, messageId: message.id },
      "sending a message with a file failed unexpectedly",
    );
    return false;
  }
}

/** @returns the permission to call; null if there is none and the message is settled or released. */
async function prepare(
  services: Services,
  message: WaitingForMedia,
  claim: Claim,
  isProbe: boolean,
): Promise<{ attempt: OpenedAttempt; openedAtMs: number } | null> {
  const { id, claimToken, organizationId, uploadId, channel } = message;
  if (!(await extendClaim(services, message))) return null;
  const media = await whileRenewing(services, message, () =>
    ensureMediaId(services, { organizationId, uploadId, channel }),
  );
  if (services.lifecycle.isStopping()) {
    await releaseClaim(services, claim);
    return null;
  }
  if (media.kind === "failed") {
    await recordUncalled(services, { messageId: id, claimToken, outcome: media.outcome });
    return null;
  }
  const openedAtMs = performance.now();
  const ready = await openAttempts(services, [message], { isProbe });
  await settleUncalled(services, { ...ready, claimed: [message], waitingForMedia: [] });
  const [attempt] = ready.opened;
  return attempt ? { attempt, openedAtMs } : null;
}

/** A failed renewal is made up for by the next one. If the claim is lost, no attempt can be opened for it. */
async function whileRenewing<T>(
  services: Services,
  message: WaitingForMedia,
  work: () => Promise<T>,
): Promise<T> {
  const renewing = setInterval(
    () => void extendClaim(services, message).catch(() => undefined),
    RENEW_EVERY_MS,
  );
  try {
    return await work();
  } finally {
    clearInterval(renewing);
  }
}

/** False if the claim belongs to this process no longer. */
async function extendClaim(services: Services, message: WaitingForMedia): Promise<boolean> {
  const rows = await services.sql`
    update messages set claimed_until = now() + make_interval(secs => ${LEASE_SECONDS})
    where organization_id = ${message.organizationId} and id = ${message.id} and is_queued
      and claim_token = ${message.claimToken}
    returning id`;
  return rows.length > 0;
}
