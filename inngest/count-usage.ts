import { countUsage } from "@/server/domain/usage/count";
import { usageDue } from "./events";
import type { Job } from "./job";

/** Counts each hour soon after it is over. A run that couldn't finish requests the next one. */
export const countUsageJob: Job = {
  id: "count-usage",
  event: usageDue.name,
  everyMinutes: 10,
  concurrencyField: null,
  async run({ services, send }) {
    if (await countUsage(services)) await send([usageDue.create({})]);
  },
};
