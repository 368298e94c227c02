import { cron, type Inngest } from "inngest";
import { enforceRetention } from "@/server/domain/retention/enforce";
import { retentionDue } from "./events";
import type { JobRunner } from "./job-runner";

/**
 * Erases data that is older than its organization's retention, every hour. A run that couldn't finish requests the next
 * one.
 */
export function enforceRetentionFunction(inngest: Inngest, { services }: JobRunner) {
  return inngest.createFunction(
    {
      id: "enforce-retention",
      triggers: [cron("0 * * * *"), retentionDue],
      concurrency: { limit: 1 },
      retries: 0,
      checkpointing: false,
    },
    async ({ step }) => {
      await step.run("enforce", async () => {
        if (await enforceRetention(services)) await inngest.send(retentionDue.create({}));
      });
    },
  );
}
