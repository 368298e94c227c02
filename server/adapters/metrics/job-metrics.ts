import type { MetricDescription } from "./description";

/** The metrics of jobs, for the catalogue. */
export const JOB_METRICS = {
  waypost_job_runs_total: {
    kind: "counter",
    scope: "process",
    help: "Runs of jobs in this process, started by the clock, by an event or by an Inngest server",
    labels: {
      job: [
        "count-usage",
        "deliver-webhooks",
        "drain-channel",
        "enforce-retention",
        "fetch-files",
        "mark-read",
        "process-callbacks",
        "sweep",
        "sweep-hourly",
        "sync-templates",
      ],
    },
  },
  waypost_jobs_running: {
    kind: "gauge",
    scope: "installation",
    help: "1 while any process runs jobs",
    labels: {},
  },
  waypost_sweep_age_seconds: {
    kind: "gauge",
    scope: "installation",
    help: "Time since the last complete sweep; absent before the first sweep",
    labels: {},
  },
} as const satisfies Readonly<Record<`waypost_${string}`, MetricDescription>>;
