import { perServices, type Services } from "@/server/core/context";

/** After a claim that took this long and found nothing, the channel is skipped for a multiple of its duration. */
const LONG_MS = 25;
const REST_TIMES = 10;
const REST_MS_MAX = 2_000;

/** Until when channels back off in this process, on the monotonic clock. */
const backoffsOf = perServices(() => new Map<string, number>());

/**
 * Records how long a claim of a channel's messages took and whether it found any. If thousands wait behind one message,
 * a claim has to examine all of them to find none; several times a second, that would keep the database busy with
 * nothing else.
 */
export function recordClaim(
  services: Services,
  channelId: string,
  claim: { readonly tookMs: number; readonly isEmpty: boolean },
): void {
  const backoffs = backoffsOf(services);
  if (!claim.isEmpty || claim.tookMs < LONG_MS) backoffs.delete(channelId);
  else backoffs.set(channelId, performance.now() + Math.min(REST_TIMES * claim.tookMs, REST_MS_MAX));
}

/** Returns whether polling should skip the channel for now. A job signal for it is handled immediately. */
export function isBackedOff(services: Services, channelId: string): boolean {
  return (backoffsOf(services).get(channelId) ?? 0) > performance.now();
}
