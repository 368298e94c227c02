import { cron, type Inngest } from "inngest";
import { syncAllTemplates } from "@/server/domain/templates/claim";
import type { JobRunner } from "./job-runner";

/** Reads every channel's templates from the upstream, because callbacks about their states can be lost. */
export function syncTemplatesFunction(inngest: Inngest, { services }: JobRunner) {
  return inngest.createFunction(
    {
      id: "sync-templates",
      triggers: [cron("*/10 * * * *")],
      concurrency: { limit: 1 },
      retries: 0,
      checkpointing: false,
    },
    async ({ step }) => {
      await step.run("sync", () => syncAllTemplates(services));
    },
  );
}
