import { perServices, type Services } from "@/server/core/context";
import { WaypostError } from "@/server/platform/errors";

/** Files of one organization that come in at once: it must not take every place, with files that hardly move. */
const AT_ONCE_MAX = 8;
const RETRY_AFTER_SECONDS = "5";

const underWayOf = perServices(() => new Map<string, number>());

/** @throws WaypostError `unavailable` while too many files of the organization are on their way in to this process. */
export async function inTurn<T>(
  services: Services,
  organizationId: string,
  take: () => Promise<T>,
): Promise<T> {
  const underWay = underWayOf(services);
  const before = underWay.get(organizationId) ?? 0;
  if (before >= AT_ONCE_MAX) {
    throw new WaypostError("unavailable", {
      message: `${AT_ONCE_MAX} files of your organization are on their way in. Send this one when one of them is done.`,
      headers: { "Retry-After": RETRY_AFTER_SECONDS },
    });
  }
  underWay.set(organizationId, before + 1);
  try {
    return await take();
  } finally {
    const left = (underWay.get(organizationId) ?? 1) - 1;
    if (left === 0) underWay.delete(organizationId);
    else underWay.set(organizationId, left);
  }
}
