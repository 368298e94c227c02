import { cron, type Inngest } from "inngest";
import { sweepMessages } from "@/server/messages/sweep";
import { noteSweep } from "@/server/process/jobs-seen";
import { sweepUploads } from "@/server/uploads/sweep";
import { wakeDueCallbacks } from "@/server/whatsapp/callbacks/due";
import { sweepDue } from "./events";
import type { JobRunner } from "./job-runner";

const EVERY_SECONDS = 10;
const MINUTE_SECONDS = 60;

/**
 * Finds what crashes and lost wake-ups left behind, every ten seconds. A minute is the finest that cron knows, so the
 * run of each minute asks for those within it.
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
        if (event.name !== sweepDue.name) await askForThoseOfThisMinute(inngest);
        await sweepMessages(services);
        await sweepUploads(services);
        await wakeDueCallbacks(services);
        await noteSweep(services);
      });
    },
  );
}

async function askForThoseOfThisMinute(inngest: Inngest): Promise<void> {
  const now = Date.now();
  const events = [];
  for (let after = EVERY_SECONDS; after < MINUTE_SECONDS; after += EVERY_SECONDS) {
    events.push(sweepDue.create({}, { ts: now + after * 1000 }));
  }
  await inngest.send(events);
}
