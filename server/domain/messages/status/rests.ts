import { perServices, type Services } from "@/server/core/context";

/** A look that took so long and found nothing is not repeated before some more of it have passed. */
const LONG_MS = 25;
const REST_TIMES = 10;
const REST_MS_MAX = 2_000;

/** Until when channels rest in this process, on the monotonic clock. */
const restsOf = perServices(() => new Map<string, number>());

/**
 * Notes what a claim of a channel's messages took, and whether it took any. Thousands that wait behind one message are
 * all looked through before it is known that none can be claimed: several times a second, that would be all that the
 * database does.
 */
export function noteClaim(
  services: Services,
  channelId: string,
  claim: { readonly tookMs: number; readonly isEmpty: boolean },
): void {
  const rests = restsOf(services);
  if (!claim.isEmpty || claim.tookMs < LONG_MS) rests.delete(channelId);
  else rests.set(channelId, performance.now() + Math.min(REST_TIMES * claim.tookMs, REST_MS_MAX));
}

/** Whether whoever only looks around should leave the channel alone for now. A wake-up of it is followed at once. */
export function isResting(services: Services, channelId: string): boolean {
  return (restsOf(services).get(channelId) ?? 0) > performance.now();
}
