import { procedure } from "@/server/core/procedure";
import { t } from "@/server/core/trpc";
import { summarizeUsage, summarizeUsageInput } from "./summary";
import { summarizeWebhooks, summarizeWebhooksInput } from "./webhooks";

export const usageRouter = t.router({
  summary: procedure({
    capability: "usage.read",
    bucket: null,
    status: 200,
    statuses: [200],
    errors: ["channel_forbidden", "key_not_found"],
  })
    .input(summarizeUsageInput)
    .query(({ ctx, input }) => summarizeUsage({ ctx, input })),

  webhooks: procedure({
    capability: "webhooks.manage",
    bucket: null,
    status: 200,
    statuses: [200],
    errors: [],
  })
    .input(summarizeWebhooksInput)
    .query(({ ctx, input }) => summarizeWebhooks({ ctx, input })),
});
