import type { Turn } from "@/server/core/jobs";
import { type Job, type JobEvent, type JobRunner, runJob } from "../job";
import { createLanes } from "./lanes";
import { createTimers, type Timers } from "./timers";

export interface EmbeddedExecutor {
  /** Runs the jobs of each event, at its time. */
  send(events: readonly JobEvent[]): void;
  /** Takes a job's turn for that value of its concurrency field. Null if it runs or waits for it, or after `stop`. */
  takeTurn(job: Job, value: string): Turn | null;
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
      const dispatch = () =>
        jobs.filter((job) => job.event === event.name).forEach((job) => start(job, event));
      if (event.ts === undefined) dispatch();
      else timers.at(event.ts, dispatch);
    }
  }

  function start(job: Job, event: JobEvent): void {
    if (isStopped) return;
    const value = job.concurrencyField === null ? "" : String(event.data[job.concurrencyField]);
    enqueue(job, value, () => runJob(job, runner, event));
  }

  function enqueue(job: Job, value: string, work: () => Promise<void>): void {
    lanes.enqueue(laneOf(job, value), async () => {
      try {
        await work();
      } catch (error) {
        log.error({ err: error, job: job.id }, "a job failed; the sweep finds what it left");
      }
    });
  }

  startClock(timers, jobs, start);
  return {
    send,
    takeTurn(job, value) {
      if (isStopped || lanes.isBusy(laneOf(job, value))) return null;
      let run: Turn["run"] = () => undefined;
      const given = new Promise<() => Promise<void>>((resolve) => (run = resolve));
      enqueue(job, value, async () => (await given)());
      return { run };
    },
    stop() {
      isStopped = true;
      timers.clear();
      return lanes.stop();
    },
  };
}

const laneOf = ({ id }: Job, value: string) => `${id}:${value}`;

/** Starts each job at its minutes, from now on. */
function startClock(timers: Timers, jobs: readonly Job[], start: (job: Job, event: JobEvent) => void): void {
  const now = Date.now();
  const minute = Math.floor(now / MINUTE_MS);
  for (const job of jobs) {
    const isDue = job.everyMinutes !== null && minute % job.everyMinutes === 0;
    if (isDue) start(job, { name: CRON_EVENT, data: {} });
  }
  timers.at((minute + 1) * MINUTE_MS, () => startClock(timers, jobs, start));
}
