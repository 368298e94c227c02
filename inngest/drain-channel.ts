import type { Inngest } from "inngest";
import type { JobRunner } from "./job-runner";
import { drainChannel } from "@/server/domain/messages/deliver/drain";
import { channelDue } from "./events";

/**
 * Sends due messages of one channel to the upstream. One run at a time per channel; claims prevent conflicts between
 * processes.
 */
export function drainChannelFunction(inngest: Inngest, { services, jobs }: JobRunner) {
  return inngest.createFunction(
    {
      id: "drain-channel",
      triggers: [channelDue],
      concurrency: { limit: 1, key: "event.data.channelId" },
      retries: 0,
      checkpointing: false,
    },
    async ({ event, step }) => {
      const { channelId } = event.data;
      await step.run("drain", async () => {
        jobs.received({ kind: "channel", id: channelId });
        await drainChannel(services, channelId);
        // The response ends the run, so another process must do the rest.
        if (services.lifecycle.isStopping()) jobs.notifyChannel(channelId);
      });
    },
  );
}
