import type { Services } from "@/server/core/context";
import type { CoalescedJobs, Jobs, JobSignal } from "@/server/core/jobs";
import { pollForDueWork } from "@/server/domain/poll";
import { type Repeated } from "@/server/core/queue/repeat";
import { JOBS } from ".";
import { createEmbeddedExecutor, type EmbeddedExecutor } from "./embedded/executor";
import { processCallbacksJob } from "./process-callbacks";
import { eventOf } from "./send-signals";

/** The jobs, run in this process. */
export interface InProcess {
  /** Runs jobs by the clock, on job signals, and for other processes' work that polling finds. */
  start(): void;
  /** Does nothing if it isn't started, because a start looks for due work. */
  signal(signals: readonly JobSignal[]): void;
  readonly takeCallbackTurn: Jobs["takeCallbackTurn"];
  /** Starts no more runs, and resolves when the current ones have ended. It can be started again. */
  stop(): Promise<void>;
}

interface Running {
  readonly executor: EmbeddedExecutor;
  readonly polling: Repeated;
}

export function createInProcess(services: () => Services, jobs: () => CoalescedJobs): InProcess {
  let running: Running | null = null;

  function begin(): Running {
    const executor = createEmbeddedExecutor(JOBS, { services: services(), jobs: jobs() });
    return { executor, polling: pollForDueWork(services()) };
  }

  return {
    start: () => void (running ??= begin()),
    signal: (signals) => running?.executor.send(signals.map(eventOf)),
    takeCallbackTurn: (channelId) => running?.executor.takeTurn(processCallbacksJob, channelId) ?? null,
    async stop() {
      const ending = running;
      running = null;
      await Promise.all([ending?.polling.stop(), ending?.executor.stop()]);
    },
  };
}
