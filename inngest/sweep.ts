import { recordSweep } from "@/server/core/queue/heartbeats";
import { sweepDueWork } from "@/server/domain/sweep";
import { notifyDueFiles } from "@/server/domain/customer-files/fetch";
import { notifyDueCallbacks } from "@/server/domain/callbacks/due";
import { sweepDue } from "./events";
import type { Job, JobRunner } from "./job";

const EVERY_SECONDS = 10;
const MINUTE_SECONDS = 60;

/**
 * Finds what crashes and lost wake-ups left behind, every ten seconds. The clock's finest unit is a minute, so each
 * minute's run requests the runs within that minute.
 */
export const sweepJob: Job = {
  id: "sweep",
  event: sweepDue.name,
  everyMinutes: 1,
  concurrencyField: null,
  async run(runner, event) {
    const { services } = runner;
    const startedAt = Date.now();
    try {
      const isWhole = await sweepDueWork(services);
      await notifyDueCallbacks(services);
      await notifyDueFiles(services);
      if (isWhole) await recordSweep(services);
    } finally {
      if (event.name !== sweepDue.name) await requestThisMinutesSweeps(runner, startedAt);
    }
  },
};

/** If that fails, the next minute's run still comes. */
async function requestThisMinutesSweeps({ services, send }: JobRunner, startedAt: number): Promise<void> {
  const events = [];
  for (let after = EVERY_SECONDS; after < MINUTE_SECONDS; after += EVERY_SECONDS) {
    events.push(sweepDue.create({}, { ts: startedAt + after * 1000 }));
  }
  try {
    await send(events);
  } catch (error) {
    services.log.warn({ err: error }, "scheduling the sweeps of this minute failed");
  }
}
