import { serve } from "inngest/edge";
import type { Services } from "@/server/core/context";
import type { CoalescedJobs, Wake } from "@/server/core/jobs";
import { watchForDue } from "@/server/domain/watch";
import { type Repeated } from "@/server/core/queue/repeat";
import { createFunctions } from ".";
import { createInngestClient, EMBEDDED_BASE_URL } from "./client";
import { createEmbeddedExecutor, type EmbeddedExecutor } from "./embedded/executor";
import { eventOf } from "./wake";

/** The functions, run in this process. */
export interface InProcess {
  /** Runs what has a cron, what is woken and, looking several times a second, what other processes made due. */
  start(): void;
  /** Nothing happens while it isn't started: whoever starts looks for what is due. */
  wake(wakes: readonly Wake[]): Promise<void>;
  /** Starts nothing more, and resolves when what runs has ended. It can be started again. */
  stop(): Promise<void>;
}

interface Running {
  readonly executor: EmbeddedExecutor;
  readonly watch: Repeated;
  send(wakes: readonly Wake[]): Promise<unknown>;
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
      watch: watchForDue(services()),
      send: (wakes) => client.send(wakes.map(eventOf)),
    };
  }

  return {
    start: () => void (running ??= begin()),
    async wake(wakes) {
      await running?.send(wakes);
    },
    async stop() {
      const ending = running;
      running = null;
      await Promise.all([ending?.watch.stop(), ending?.executor.stop()]);
    },
  };
}
