import type { Inngest } from "inngest";

import { processCallbacks } from "@/server/domain/callbacks/process";
import { callbacksReceived } from "./events";
import type { JobRunner } from "./job-runner";

/** Merges one channel's stored callbacks into messages and conversations: those of one channel never wait for another's. */
export function processCallbacksFunction(inngest: Inngest, { services, jobs }: JobRunner) {
  return inngest.createFunction(
    {
      id: "process-callbacks",
      triggers: [callbacksReceived],
      concurrency: { limit: 1, key: "event.data.channelId" },
      retries: 0,
      checkpointing: false,
    },
    async ({ event, step }) => {
      const { channelId } = event.data;
      await step.run("process", async () => {
        jobs.received({ kind: "callbacks", id: channelId });
        const isMoreDue = await processCallbacks(services, channelId);
        // Its answer ends the run: what is left is for another process.
        if (isMoreDue || services.isStopping()) jobs.notifyCallbacks(channelId);
      });
    },
  );
}
