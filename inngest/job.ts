import type { LabelsOf } from "@/server/adapters/metrics/catalogue";
import type { Services } from "@/server/core/context";
import type { CoalescedJobs } from "@/server/core/jobs";

/** An event that starts jobs. Its data contains ids only. */
export interface JobEvent {
  readonly name: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Not before this time (Unix, milliseconds). Immediately if absent. */
  readonly ts?: number | undefined;
}

/** Dependencies shared by the jobs. */
export interface JobRunner {
  readonly services: Services;
  readonly jobs: Omit<CoalescedJobs, "resend">;
  /** Sends events that start jobs. */
  readonly send: (events: readonly JobEvent[]) => Promise<unknown>;
}

export type JobId = LabelsOf<"waypost_job_runs_total">["job"];

/**
 * A job, written once for both ways to run it: an Inngest server calls it as a function, the embedded executor calls it
 * directly. An event can run it more than once, also at the same time in several processes. A failed run isn't
 * repeated: the sweep finds what it left.
 */
export interface Job {
  /** Id of the Inngest function. */
  readonly id: JobId;
  /** Name of the event that starts it. Null for a job that only the clock starts. */
  readonly event: string | null;
  /** The clock starts it at each minute of the hour that is divisible by this. Null for a job that only events start. */
  readonly everyMinutes: 1 | 10 | 60 | null;
  /** Field of the event's data: one run at a time for each of its values. Null: one run at a time. */
  readonly concurrencyField: string | null;
  run(runner: JobRunner, event: JobEvent): Promise<void>;
}

/** Runs a job, and counts the run. */
export function runJob(job: Job, runner: JobRunner, event: JobEvent): Promise<void> {
  runner.services.metrics.count("waypost_job_runs_total", { job: job.id });
  return job.run(runner, event);
}
