import { type Job, type JobEvent, type JobRunner, runJob } from "../job";
import { createLanes } from "./lanes";
import { createTimers } from "./timers";

export interface EmbeddedExecutor {
  /** Runs the jobs of each event, at its time. */
  send(events: readonly JobEvent[]): void;
  /**
   * Starts no more runs, and resolves when the current ones have ended. Waiting events are dropped, because the
   * database rows are authoritative.
   */
  stop(): Promise<void>;
}

const MINUTE_MS = 60_000;
/** Name of the event of a scheduled run, as an Inngest server calls it. */
const CRON_EVENT = "inngest/scheduled.timer";

/**
 * A small Inngest in this process: queue, timers, clock, concurrency per key, and no more. It stores nothing: the sweep
 * finds lost work in the database. Jobs that the clock starts in this minute run immediately.
 */
export function createEmbeddedExecutor(
  jobs: readonly Job[],
  dependencies: Omit<JobRunner, "send">,
): EmbeddedExecutor {
  const lanes = createLanes();
  const timers = createTimers();
  const { log } = dependencies.services;
  const runner: JobRunner = { ...dependencies, send: async (events) => send(events) };
  let isStopped = false;

  function send(events: readonly JobEvent[]): void {
    for (const event of events) {
      if (event.ts === undefined) dispatch(event);
      else timers.at(event.ts, () => dispatch(event));
    }
  }

  function dispatch(event: JobEvent): void {
    for (const job of jobs) if (job.event === event.name) enqueue(job, event);
  }

  function enqueue(job: Job, event: JobEvent): void {
    if (isStopped) return;
    const { id, concurrencyField } = job;
    const value = concurrencyField === null ? "" : String(event.data[concurrencyField]);
    lanes.enqueue(`${id}:${value}`, async () => {
      try {
        await runJob(job, runner, event);
      } catch (error) {
        log.error({ err: error, job: id, event: event.name }, "a job failed; the sweep finds what it left");
      }
    });
  }

  function everyMinute(): void {
    const now = Date.now();
    const minute = Math.floor(now / MINUTE_MS);
    for (const job of jobs) {
      const isDue = job.everyMinutes !== null && minute % job.everyMinutes === 0;
      if (isDue) enqueue(job, { name: CRON_EVENT, data: {} });
    }
    timers.at(now - (now % MINUTE_MS) + MINUTE_MS, everyMinute);
  }

  everyMinute();
  return {
    send,
    stop() {
      isStopped = true;
      timers.clear();
      return lanes.stop();
    },
  };
}
