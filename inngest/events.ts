import { eventType } from "inngest";
import { z } from "zod";

/** Wake-ups. They carry ids of whom to serve, never of what: the rows are the truth. */
export const channelDue = eventType("waypost/channel.due", { schema: z.object({ channelId: z.guid() }) });

export const callbacksReceived = eventType("waypost/callbacks.received", {
  schema: z.object({ channelId: z.guid() }),
});

export const webhookDue = eventType("waypost/webhook.due", { schema: z.object({ endpointId: z.guid() }) });

export const sweepDue = eventType("waypost/sweep.due", { schema: z.object({}) });

export const usageDue = eventType("waypost/usage.due", { schema: z.object({}) });

export const retentionDue = eventType("waypost/retention.due", { schema: z.object({}) });
