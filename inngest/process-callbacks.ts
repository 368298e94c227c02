import type { Inngest } from "inngest";

import { processCallbacks } from "@/server/whatsapp/callbacks/process";
import { callbacksReceived } from "./events";
import type { JobRunner } from "./job-runner";

/** Merges stored callbacks into messages and conversations. */
export function processCallbacksFunction(inngest: Inngest, { services, jobs }: JobRunner) {
  return inngest.createFunction(
    {
      id: "process-callbacks",
      triggers: [callbacksReceived],
      concurrency: { limit: 1 },
      retries: 0,
      checkpointing: false,
    },
    async ({ step }) => {
      await step.run("process", async () => {
        jobs.arrived({ kind: "callbacks" });
        if (await processCallbacks(services)) jobs.wakeCallbacks();
      });
    },
  );
}
