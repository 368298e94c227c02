import { enforceRetention } from "@/server/domain/retention/enforce";
import { retentionDue } from "./events";
import type { Job } from "./job";

/**
 * Erases data that is older than its organization's retention, every hour. A run that couldn't finish requests the next
 * one.
 */
export const enforceRetentionJob: Job = {
  id: "enforce-retention",
  event: retentionDue.name,
  everyMinutes: 60,
  concurrencyField: null,
  async run({ services, send }) {
    if (await enforceRetention(services)) await send([retentionDue.create({})]);
  },
};
