import type { Services } from "@/server/core/context";
import { abandonOnError } from "./abandon-claim";
import { type ClaimedMessage, claimDueMessages, newClaimToken, nothingElseWaits } from "./claim";
import {
  attemptColumns,
  type AttemptRow,
  claimedMessageOf,
  openAttemptsOfMine,
  type OpenedAttempts,
  sortAttempts,
} from "./open-attempts";

export interface OpenedClaim extends OpenedAttempts {
  /** All claimed messages, with or without an open attempt. */
  readonly claimed: readonly ClaimedMessage[];
  /** At the time of the claim, no other message of the channel waited. False if nothing was claimed: it isn't known. */
  readonly isQueueEmpty: boolean;
  /** Time before the attempts were opened, on the monotonic clock. */
  readonly openedAtMs: number;
}

/**
 * Claims due messages of a channel and opens their attempts in one statement, so that the calls may start. A failure
 * blocks nothing.
 * @param options.isProbe for a paused channel only.
 */
export function claimAndOpen(
  services: Services,
  channelId: string,
  max: number,
  options: { isProbe: boolean } = { isProbe: false },
): Promise<OpenedClaim> {
  const { sql } = services;
  const token = newClaimToken();
  return abandonOnError(services, { token }, async () => {
    const openedAtMs = performance.now();
    const rows = await sql<(AttemptRow & { isQueueEmpty: boolean })[]>`
      with ${claimDueMessages(sql, channelId, max, token, options)},
      mine as (select * from claimed), ${openAttemptsOfMine(sql, options.isProbe)}
      select ${attemptColumns(sql)}, ${nothingElseWaits(sql, channelId)} as "isQueueEmpty"
      from ready r left join opened o on o.id = r.attempt_id`;
    const claimed = rows.map(claimedMessageOf);
    return { ...sortAttempts(rows), claimed, isQueueEmpty: rows[0]?.isQueueEmpty ?? false, openedAtMs };
  });
}
