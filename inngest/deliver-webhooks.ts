import { deliverWithReplays } from "@/server/domain/webhooks/replay/deliver-replays";
import { webhookDue } from "./events";
import type { Job } from "./job";

/**
 * Makes the due deliveries to one endpoint, including those of its replays. Claims prevent conflicts between
 * processes.
 */
export const deliverWebhooksJob: Job = {
  id: "deliver-webhooks",
  event: webhookDue.name,
  everyMinutes: null,
  concurrencyField: "endpointId",
  async run({ services, jobs }, event) {
    const { endpointId } = webhookDue.schema.parse(event.data);
    jobs.received({ kind: "endpoint", id: endpointId });
    await deliverWithReplays(services, endpointId);
    // The end of this step ends the run, so another process must do the rest.
    if (services.lifecycle.isStopping()) jobs.notifyEndpoint(endpointId);
  },
};
