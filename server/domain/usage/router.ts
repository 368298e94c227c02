import { procedure } from "@/server/core/procedure";
import { t } from "@/server/core/trpc";
import { summarizeUsage, summarizeUsageInput } from "./summary";

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
});
