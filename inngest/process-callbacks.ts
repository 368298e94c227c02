import type { Inngest } from "inngest";

import { processCallbacks } from "@/server/domain/callbacks/process";
import { callbacksReceived } from "./events";
import type { JobRunner } from "./job-runner";

/** Merges one channel's stored callbacks into messages and conversations. Channels never wait for each other. */
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
        // The response ends the run, so another process must do the rest.
        if (isMoreDue || services.lifecycle.isStopping()) jobs.notifyCallbacks(channelId);
      });
    },
  );
}
