import { type Repeated, repeat } from "@/server/core/queue/repeat";
import type { Services } from "@/server/core/context";
import {
  removeStaleHeartbeats,
  removeJobHeartbeat,
  recordJobHeartbeat,
} from "@/server/core/queue/heartbeats";
import { recordIntakeHeartbeat, notifyDueChannelsOften } from "@/server/domain/messages/sweep";
import { notifyDueMarks } from "@/server/domain/messages/marks/due";
import { notifyDueEndpoints } from "@/server/domain/webhooks/sweep";
import { notifyDueFiles } from "@/server/domain/customer-files/fetch";
import { notifyDueCallbacks } from "@/server/domain/callbacks/due";

/** How often to poll for work that other processes made due: without an Inngest server, their signals don't reach this one. */
const POLL_EVERY_MS = 250;
/** After a slow poll, the pause is ten times the poll's duration. */
const POLL_PAUSE_FACTOR = 10;
const POLL_EVERY_MS_MAX = 2_500;
const NOTE_INTAKE_EVERY_MS = 20_000;
const NOTE_JOBS_EVERY_MS = 5_000;

/** Polls for work that other processes made due. For a process that runs functions on the embedded executor. */
export function pollForDueWork(services: Services): Repeated {
  const poll = async () => {
    await notifyDueChannelsOften(services);
    await notifyDueCallbacks(services);
    await notifyDueEndpoints(services);
    await notifyDueMarks(services);
    await notifyDueFiles(services);
  };
  return repeat(services, pollAfterMs, poll);
}

function pollAfterMs(tookMs: number): number {
  return Math.min(POLL_EVERY_MS_MAX, Math.max(POLL_EVERY_MS, POLL_PAUSE_FACTOR * tookMs));
}

/** Records repeatedly that callbacks can arrive. For a process that takes callbacks. */
export function startIntakeHeartbeat(services: Services): Repeated {
  return repeat(
    services,
    () => NOTE_INTAKE_EVERY_MS,
    () => recordIntakeHeartbeat(services),
  );
}

/**
 * Records repeatedly that this process runs jobs, until it stops.
 * @param runner the process's own name; only tests pass one.
 */
export function startJobHeartbeat(services: Services, runner?: string): Repeated {
  const noting = repeat(
    services,
    () => NOTE_JOBS_EVERY_MS,
    async () => {
      await recordJobHeartbeat(services, runner);
      await removeStaleHeartbeats(services);
    },
  );
  return {
    async stop() {
      await noting.stop();
      await removeJobHeartbeat(services, runner).catch(() => undefined);
    },
  };
}
