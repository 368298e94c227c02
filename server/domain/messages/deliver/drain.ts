import type { Services } from "@/server/core/context";
import { createDrain, type Started } from "@/server/core/queue/drain";
import { newCalls } from "@/server/lib/new-calls";
import { queueState } from "./claim";
import { claimAndOpen } from "./claim-and-open";
import { handOver } from "./hand-over";
import { handOverWithMedia } from "./hand-over-with-media";
import { recordClaim } from "../status/claim-backoff";
import { settleUncalled } from "./settle-uncalled";

const drain = createDrain({
  permits: async ({ concurrency }, channelId) => concurrency.sends.join(channelId),
  start: startCalls,
  queueState,
  notify: ({ jobs }, channelId, at) => jobs.notifyChannel(channelId, at),
});

/** Notifies a running drain of this process that messages of the channel are due. False if none runs. */
export const signalDrain = drain.signal;

/**
 * Hands due messages of a channel to the upstream. A problem with one message becomes that message's outcome and is
 * never thrown.
 */
export const drainChannel = drain.run;

async function startCalls(services: Services, channelId: string, permitCount: number): Promise<Started> {
  await newCalls.allowed();
  const startedAtMs = performance.now();
  const claim = await claimAndOpen(services, channelId, permitCount);
  const { claimed, opened, waitingForMedia, openedAtMs } = claim;
  recordClaim(services, channelId, {
    tookMs: performance.now() - startedAtMs,
    isEmpty: claimed.length === 0,
  });
  const calls = [
    ...opened.map((attempt) => handOver(services, attempt, openedAtMs)),
    ...waitingForMedia.map((waiting) => handOverWithMedia(services, waiting).then(() => false)),
  ];
  void settleUncalled(services, claim);
  // A claimed message without a call may be released, and is due again then.
  return { calls, isQueueEmpty: calls.length === claimed.length && claim.isQueueEmpty };
}
