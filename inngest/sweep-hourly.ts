import { cron, type Inngest } from "inngest";
import { sweepSignIns } from "@/server/domain/auth/sweep";
import { sweepInboxes } from "@/server/domain/inbox/sweep";
import { sweepOldStatuses } from "@/server/domain/messages/sweep";
import { sweepRefusals } from "@/server/domain/requests/sweep";
import { sweepUploads } from "@/server/domain/uploads/sweep";
import { forgetEndedSecrets } from "@/server/domain/webhooks/sweep";
import type { JobRunner } from "./job-runner";

/** Finds work that is not urgent, and work whose search takes too long for the sweep of every ten seconds. */
export function sweepHourlyFunction(inngest: Inngest, { services }: JobRunner) {
  return inngest.createFunction(
    {
      id: "sweep-hourly",
      triggers: [cron("0 * * * *")],
      concurrency: { limit: 1 },
      retries: 0,
      checkpointing: false,
    },
    async ({ step }) => {
      await step.run("sweep", async () => {
        await sweepOldStatuses(services);
        await sweepUploads(services);
        await sweepRefusals(services);
        await sweepSignIns(services);
        await sweepInboxes(services);
        await forgetEndedSecrets(services);
      });
    },
  );
}
