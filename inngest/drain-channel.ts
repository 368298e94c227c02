import type { Inngest } from "inngest";
import type { JobRunner } from "./job-runner";
import { drainChannel } from "@/server/domain/messages/deliver/drain";
import { channelDue } from "./events";

/** Hands due messages of one channel upstream. One run at a time per channel; claims keep several processes apart. */
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
        // Its answer ends the run: what is left is for another process.
        if (services.isStopping()) jobs.notifyChannel(channelId);
      });
    },
  );
}
