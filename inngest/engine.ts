import type { Logger } from "pino";
import type { Config } from "@/server/platform/config";
import type { Services } from "@/server/core/context";
import { type CoalescedJobs, coalesceJobs, type JobTarget } from "@/server/core/jobs";
import { signalDrain } from "@/server/domain/messages/deliver/drain";
import { signalDelivery } from "@/server/domain/webhooks/deliver/deliver";
import { createInProcess } from "./in-process";
import { createServerSide, type ServerSideOptions } from "./server-side";

/** Runs the functions: an Inngest server, or the executor in this process. */
export interface JobEngine {
  readonly jobs: CoalescedJobs;
  /** For `/api/inngest`: the SDK's serve handler over the functions, if an Inngest server calls them. */
  readonly serve: (request: Request) => Promise<Response>;
  /** Runs functions in this process, or has an Inngest server run them. A process that runs no jobs does neither. */
  start(): void;
  /** Starts no more runs, and resolves when those in this process have ended. An Inngest server can still call. */
  stop(): Promise<void>;
  /** Resolves when all signals so far have been sent, or dropped. */
  sent(): Promise<void>;
}

export interface JobEngineOptions extends Pick<ServerSideOptions, "fetch" | "standbyTimes"> {
  readonly config: Pick<Config, "inngest">;
  readonly log: Logger;
  /** Read once they exist: the functions need the services, and the services notify the functions. */
  readonly services: () => Services;
  /**
   * Whether this process runs functions (`WAYPOST_ROLE`). With the embedded executor, a process that runs no functions sends no signals. The processes that run functions poll for due rows.
   */
  readonly runsJobs: boolean;
  /** Address of this process. Read once it listens. */
  readonly ownUrl?: () => string | null;
}

export function createJobEngine(options: JobEngineOptions): JobEngine {
  const { config, log, services, runsJobs, ownUrl = () => null } = options;
  const inProcess = createInProcess(services, () => jobs);
  const { fetch, standbyTimes } = options;
  const server =
    config.inngest === null
      ? null
      : createServerSide({
          inngest: config.inngest,
          log,
          services,
          jobs: () => jobs,
          inProcess,
          ownUrl,
          fetch,
          standbyTimes,
        });
  const coalesced = coalesceJobs({
    notifyRunning: (target) => signalRunning(services(), target),
    send: server?.signal ?? (async (signals) => inProcess.signal(signals)),
  });
  const jobs: CoalescedJobs = { ...coalesced, takeCallbackTurn: inProcess.takeCallbackTurn };
  return {
    jobs,
    serve: server?.serve ?? notServed,
    start() {
      if (runsJobs) (server ?? inProcess).start();
    },
    stop: () => (server ?? inProcess).stop(),
    async sent() {
      // Signals are sent at the end of their turn.
      await new Promise((resolve) => setImmediate(resolve));
      await server?.sent();
    },
  };
}

function signalRunning(services: Services, { kind, id }: JobTarget): boolean {
  switch (kind) {
    case "channel":
      return signalDrain(services, id);
    case "endpoint":
      return signalDelivery(services, id);
    case "callbacks":
    case "marks":
    case "file":
      return false;
  }
}

/** Without an Inngest server, requests aren't signed, so no outside request may run a function. */
async function notServed(): Promise<Response> {
  return Response.json(
    { error: { code: "not_found", message: "Jobs run in process here." } },
    { status: 404 },
  );
}
