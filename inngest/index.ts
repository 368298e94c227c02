import { cron, type Inngest } from "inngest";
import { countUsageJob } from "./count-usage";
import { deliverWebhooksJob } from "./deliver-webhooks";
import { drainChannelJob } from "./drain-channel";
import { enforceRetentionJob } from "./enforce-retention";
import { fetchFilesJob } from "./fetch-files";
import { type Job, type JobRunner, runJob } from "./job";
import { markReadJob } from "./mark-read";
import { processCallbacksJob } from "./process-callbacks";
import { sweepJob } from "./sweep";
import { sweepHourlyJob } from "./sweep-hourly";
import { syncTemplatesJob } from "./sync-templates";

/** All jobs of Waypost. */
export const JOBS: readonly Job[] = [
  countUsageJob,
  deliverWebhooksJob,
  drainChannelJob,
  enforceRetentionJob,
  fetchFilesJob,
  markReadJob,
  processCallbacksJob,
  sweepJob,
  sweepHourlyJob,
  syncTemplatesJob,
];

const CRON = { 1: "* * * * *", 10: "*/10 * * * *", 60: "0 * * * *" } as const;

/** Creates the Inngest functions of all jobs. */
export function createFunctions(inngest: Inngest, dependencies: Omit<JobRunner, "send">) {
  const runner: JobRunner = { ...dependencies, send: (events) => inngest.send([...events]) };
  return JOBS.map((job) => {
    const { id, event: name, everyMinutes, concurrencyField } = job;
    const triggers = [
      ...(everyMinutes === null ? [] : [cron(CRON[everyMinutes])]),
      ...(name === null ? [] : [{ event: name }]),
    ];
    const key = concurrencyField === null ? {} : { key: `event.data.${concurrencyField}` };
    return inngest.createFunction(
      { id, triggers, concurrency: { limit: 1, ...key }, retries: 0, checkpointing: false },
      async ({ event, step }) => {
        await step.run("run", () => runJob(job, runner, event));
      },
    );
  });
}
