import { cron, type Inngest } from "inngest";
import { countUsage } from "@/server/domain/usage/count";
import { usageDue } from "./events";
import type { JobRunner } from "./job-runner";

/** Counts each hour soon after it is over. A run that couldn't finish requests the next one. */
export function countUsageFunction(inngest: Inngest, { services }: JobRunner) {
  return inngest.createFunction(
    {
      id: "count-usage",
      triggers: [cron("*/10 * * * *"), usageDue],
      concurrency: { limit: 1 },
      retries: 0,
      checkpointing: false,
    },
    async ({ step }) => {
      await step.run("count", async () => {
        if (await countUsage(services)) await inngest.send(usageDue.create({}));
      });
    },
  );
}
