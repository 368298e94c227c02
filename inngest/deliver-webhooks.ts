import type { Inngest } from "inngest";
import { deliverWithReplays } from "@/server/domain/webhooks/replay/deliver-replays";
import { webhookDue } from "./events";
import type { JobRunner } from "./job-runner";

/**
 * Makes the due deliveries to one endpoint, including those of its replays. One run at a time per endpoint; claims
 * prevent conflicts between processes.
 */
export function deliverWebhooksFunction(inngest: Inngest, { services, jobs }: JobRunner) {
  return inngest.createFunction(
    {
      id: "deliver-webhooks",
      triggers: [webhookDue],
      concurrency: { limit: 1, key: "event.data.endpointId" },
      retries: 0,
      checkpointing: false,
    },
    async ({ event, step }) => {
      const { endpointId } = event.data;
      await step.run("deliver", async () => {
        jobs.received({ kind: "endpoint", id: endpointId });
        await deliverWithReplays(services, endpointId);
        // The response ends the run, so another process must do the rest.
        if (services.lifecycle.isStopping()) jobs.notifyEndpoint(endpointId);
      });
    },
  );
}
