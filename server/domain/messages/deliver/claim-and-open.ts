import type { Services } from "@/server/core/context";
import { abandonOnError } from "./abandon-claim";
import { claimDue, type DueMessage, newClaimToken } from "./claim";
import { openAttempts, type OpenedAttempts } from "./open-attempts";

export interface OpenedClaim extends OpenedAttempts {
  /** All claimed messages, with or without an open attempt. */
  readonly claimed: readonly DueMessage[];
  /** Time before the attempts were opened, on the monotonic clock. */
  readonly openedAtMs: number;
}

/**
 * Claims due messages of a channel and opens their attempts, so that the calls may start. A failure in between blocks
 * nothing.
 * @param options.isProbe for a paused channel only.
 */
export function claimAndOpen(
  services: Services,
  channelId: string,
  max: number,
  options: { isProbe: boolean } = { isProbe: false },
): Promise<OpenedClaim> {
  const token = newClaimToken();
  return abandonOnError(services, { token }, async () => {
    const claimed = await claimDue(services, channelId, max, token, options);
    const openedAtMs = performance.now();
    const ready = claimed.length === 0 ? NONE : await openAttempts(services, claimed, options);
    return { ...ready, claimed, openedAtMs };
  });
}

const NONE: OpenedAttempts = { opened: [], failing: [], waitingForMedia: [] };
