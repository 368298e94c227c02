import { cron, type Inngest } from "inngest";
import type { Services } from "@/server/core/context";
import { recordSweep } from "@/server/core/queue/heartbeats";
import { sweepDueWork } from "@/server/domain/sweep";
import { notifyDueCallbacks } from "@/server/domain/callbacks/due";
import { sweepDue } from "./events";
import type { JobRunner } from "./job-runner";

const EVERY_SECONDS = 10;
const MINUTE_SECONDS = 60;

/**
 * Finds what crashes and lost wake-ups left behind, every ten seconds. Cron's finest unit is a minute, so each minute's
 * run requests the runs within that minute.
 */
export function sweepFunction(inngest: Inngest, { services }: JobRunner) {
  return inngest.createFunction(
    {
      id: "sweep",
      triggers: [cron("* * * * *"), sweepDue],
      concurrency: { limit: 1 },
      retries: 0,
      checkpointing: false,
    },
    async ({ event, step }) => {
      await step.run("sweep", async () => {
        const startedAt = Date.now();
        try {
          const isWhole = await sweepDueWork(services);
          await notifyDueCallbacks(services);
          if (isWhole) await recordSweep(services);
        } finally {
          if (event.name !== sweepDue.name) await requestThisMinutesJobs(inngest, services, startedAt);
        }
      });
    },
  );
}

/** Requests the jobs of this minute. If that fails, the next minute's run still comes. */
async function requestThisMinutesJobs(inngest: Inngest, { log }: Services, startedAt: number): Promise<void> {
  const events = [];
  for (let after = EVERY_SECONDS; after < MINUTE_SECONDS; after += EVERY_SECONDS) {
    events.push(sweepDue.create({}, { ts: startedAt + after * 1000 }));
  }
  try {
    await inngest.send(events);
  } catch (error) {
    log.warn({ err: error }, "scheduling the sweeps of this minute failed");
  }
}
