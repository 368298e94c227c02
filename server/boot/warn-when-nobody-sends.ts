import { setTimeout as delay } from "node:timers/promises";
import type { Services } from "@/server/core/context";
import { areJobsRun } from "@/server/core/queue/heartbeats";
import type { Repeated } from "@/server/core/queue/repeat";

const NOBODY_SENDS =
  "No process runs jobs: messages are accepted, and wait until one with WAYPOST_ROLE=jobs or all runs.";
/** Time to replace the only process that runs jobs, including its drain. */
const GRACE_MS = 15_000;
const ASK_EVERY_MS = 500;

/**
 * For a process that runs no jobs: warns the operator once if no process has run jobs by the end of the grace period.
 * While the database doesn't respond, nothing is known and nothing is reported.
 */
export function warnWhenNobodySends(
  services: Pick<Services, "sql">,
  warn: (line: string) => void,
  graceMs = GRACE_MS,
): Repeated {
  const stopping = new AbortController();
  const watching = watch(services, warn, graceMs, stopping.signal).catch(() => undefined);
  return {
    async stop() {
      stopping.abort();
      await watching;
    },
  };
}

async function watch(
  services: Pick<Services, "sql">,
  warn: (line: string) => void,
  graceMs: number,
  signal: AbortSignal,
): Promise<void> {
  for (const endsAt = performance.now() + graceMs; ; await delay(ASK_EVERY_MS, undefined, { signal })) {
    // If the database doesn't respond, assumes that jobs may be running.
    const isKnown = await areJobsRun(services).catch(() => null);
    if (signal.aborted || isKnown === true) return;
    if (isKnown === false && performance.now() >= endsAt) return warn(NOBODY_SENDS);
  }
}
