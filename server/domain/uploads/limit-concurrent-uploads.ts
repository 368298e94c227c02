import { perServices, type Services } from "@/server/core/context";
import { WaypostError } from "@/server/platform/errors";

/** Maximum concurrent uploads of one organization, so that it can't occupy every slot with slow files. */
const AT_ONCE_MAX = 8;
const RETRY_AFTER_SECONDS = "5";

const inFlightOf = perServices(() => new Map<string, number>());

/**
 * Limits the concurrent uploads of one organization in this process.
 * @throws WaypostError `unavailable` above the limit.
 */
export async function limitConcurrentUploads<T>(
  services: Services,
  organizationId: string,
  take: () => Promise<T>,
): Promise<T> {
  const inFlight = inFlightOf(services);
  const before = inFlight.get(organizationId) ?? 0;
  if (before >= AT_ONCE_MAX) {
    throw new WaypostError("unavailable", {
      message: `Your organization is already uploading ${AT_ONCE_MAX} files. Send this file when one of them is done.`,
      headers: { "Retry-After": RETRY_AFTER_SECONDS },
    });
  }
  inFlight.set(organizationId, before + 1);
  try {
    return await take();
  } finally {
    const left = (inFlight.get(organizationId) ?? 1) - 1;
    if (left === 0) inFlight.delete(organizationId);
    else inFlight.set(organizationId, left);
  }
}
