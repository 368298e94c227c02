import { eventType } from "inngest";
import { z } from "zod";

/**
 * Wake-up events. They contain only the ids of targets and no work items, because the database rows are authoritative.
 */
export const channelDue = eventType("waypost/channel.due", { schema: z.object({ channelId: z.guid() }) });

export const callbacksReceived = eventType("waypost/callbacks.received", {
  schema: z.object({ channelId: z.guid() }),
});

export const marksDue = eventType("waypost/marks.due", { schema: z.object({ channelId: z.guid() }) });

export const webhookDue = eventType("waypost/webhook.due", { schema: z.object({ endpointId: z.guid() }) });

export const fileDue = eventType("waypost/file.due", { schema: z.object({ fileId: z.guid() }) });

export const sweepDue = eventType("waypost/sweep.due", { schema: z.object({}) });

export const usageDue = eventType("waypost/usage.due", { schema: z.object({}) });

export const retentionDue = eventType("waypost/retention.due", { schema: z.object({}) });
