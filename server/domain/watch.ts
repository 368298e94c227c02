import { type Repeated, repeat } from "@/server/core/queue/repeat";
import type { Services } from "@/server/core/context";
import { forgetDeadJobs, forgetJobs, noteJobs } from "@/server/core/queue/jobs-seen";
import { noteIntake, wakeDueChannelsOften } from "@/server/domain/messages/sweep";
import { wakeDueEndpoints } from "@/server/domain/webhooks/sweep";
import { wakeDueCallbacks } from "@/server/domain/callbacks/due";

/** Looks for what other processes made due: their wake-ups can't reach this one without an Inngest server. */
const LOOK_EVERY_MS = 250;
/** Looks that take long, for there is much to look through, take no more than a tenth of the time. */
const LOOK_SHARE = 10;
const LOOK_EVERY_MS_MAX = 2_500;
const NOTE_INTAKE_EVERY_MS = 20_000;
const NOTE_JOBS_EVERY_MS = 5_000;

/** For a process that runs functions on the embedded executor. */
export function watchForDue(services: Services): Repeated {
  const look = async () => {
    await wakeDueChannelsOften(services);
    await wakeDueCallbacks(services);
    await wakeDueEndpoints(services);
  };
  return repeat(services, lookAgainAfterMs, look);
}

function lookAgainAfterMs(tookMs: number): number {
  return Math.min(LOOK_EVERY_MS_MAX, Math.max(LOOK_EVERY_MS, LOOK_SHARE * tookMs));
}

/** For a process that takes callbacks: says that they can come in. */
export function keepNotingIntake(services: Services): Repeated {
  return repeat(
    services,
    () => NOTE_INTAKE_EVERY_MS,
    () => noteIntake(services),
  );
}

/**
 * For a process that runs jobs: says that it does, until it stops.
 * @param runner the process's own name; only tests give one.
 */
export function keepNotingJobs(services: Services, runner?: string): Repeated {
  const noting = repeat(
    services,
    () => NOTE_JOBS_EVERY_MS,
    async () => {
      await noteJobs(services, runner);
      await forgetDeadJobs(services);
    },
  );
  return {
    async stop() {
      await noting.stop();
      await forgetJobs(services, runner).catch(() => undefined);
    },
  };
}
