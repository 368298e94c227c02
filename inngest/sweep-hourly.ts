import { sweepSignIns } from "@/server/domain/auth/sweep";
import { sweepInboxes } from "@/server/domain/inbox/sweep";
import { sweepOldStatuses } from "@/server/domain/messages/sweep";
import { sweepRefusals } from "@/server/domain/requests/sweep";
import { sweepUploads } from "@/server/domain/uploads/sweep";
import { forgetEndedSecrets } from "@/server/domain/webhooks/sweep";
import type { Job } from "./job";

/** Finds work that is not urgent, and work whose search takes too long for the sweep of every ten seconds. */
export const sweepHourlyJob: Job = {
  id: "sweep-hourly",
  event: null,
  everyMinutes: 60,
  concurrencyField: null,
  async run({ services }) {
    await sweepOldStatuses(services);
    await sweepUploads(services);
    await sweepRefusals(services);
    await sweepSignIns(services);
    await sweepInboxes(services);
    await forgetEndedSecrets(services);
  },
};
