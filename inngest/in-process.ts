import { serve } from "inngest/edge";
import type { Services } from "@/server/core/context";
import type { CoalescedJobs, JobSignal } from "@/server/core/jobs";
import { pollForDueWork } from "@/server/domain/poll";
import { type Repeated } from "@/server/core/queue/repeat";
import { createFunctions } from ".";
import { createInngestClient, EMBEDDED_BASE_URL } from "./client";
import { createEmbeddedExecutor, type EmbeddedExecutor } from "./embedded/executor";
import { eventOf } from "./send-signals";

/** The functions, run in this process. */
export interface InProcess {
  /** Runs functions by their cron, on job signals, and for other processes' work that polling finds. */
  start(): void;
  /** Does nothing if it isn't started, because a start looks for due work. */
  signal(signals: readonly JobSignal[]): Promise<void>;
  /** Starts no more runs, and resolves when the current ones have ended. It can be started again. */
  stop(): Promise<void>;
}

interface Running {
  readonly executor: EmbeddedExecutor;
  readonly polling: Repeated;
  send(signals: readonly JobSignal[]): Promise<unknown>;
}

export function createInProcess(services: () => Services, jobs: () => CoalescedJobs): InProcess {
  let running: Running | null = null;

  function begin(): Running {
    const { log } = services();
    const executor = createEmbeddedExecutor({ baseUrl: EMBEDDED_BASE_URL, appId: "waypost", log });
    const client = createInngestClient({ inngest: null, log, fetch: executor.fetch });
    const functions = createFunctions(client, { services: services(), jobs: jobs() });
    executor.start(functions, serve({ client, functions }));
    return {
      executor,
      polling: pollForDueWork(services()),
      send: (signals) => client.send(signals.map(eventOf)),
    };
  }

  return {
    start: () => void (running ??= begin()),
    async signal(signals) {
      await running?.send(signals);
    },
    async stop() {
      const ending = running;
      running = null;
      await Promise.all([ending?.polling.stop(), ending?.executor.stop()]);
    },
  };
}
