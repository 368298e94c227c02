import type { Logger } from "pino";
import type { Config } from "@/server/platform/config";
import type { Services } from "@/server/core/context";
import { type CoalescedJobs, coalesceJobs, type JobTarget } from "@/server/core/jobs";
import { signalDrain } from "@/server/domain/messages/deliver/drain";
import { signalDelivery } from "@/server/domain/webhooks/deliver/deliver";
import { runWithoutAsyncContext } from "./embedded/async-context";
import { createInProcess } from "./in-process";
import { createServerSide, type ServerSideOptions } from "./server-side";

/** What runs the functions: an Inngest server, or the executor in this process. */
export interface JobEngine {
  readonly jobs: CoalescedJobs;
  /** For `/api/inngest`: the SDK's serve handler over the functions, where an Inngest server calls them. */
  readonly serve: (request: Request) => Promise<Response>;
  /** Runs functions in this process, or has an Inngest server run them; a process that runs no jobs does neither. */
  start(): void;
  /** Starts nothing more, and resolves when what runs here has ended. An Inngest server can still call. */
  stop(): Promise<void>;
  /** Resolves when all signals so far have been sent, or given up. */
  sent(): Promise<void>;
}

export interface JobEngineOptions extends Pick<ServerSideOptions, "fetch" | "standbyTimes"> {
  readonly config: Pick<Config, "inngest">;
  readonly log: Logger;
  /** Asked for when they exist: the functions need the services, and the services notify the functions. */
  readonly services: () => Services;
  /**
   * Whether this process runs functions (`WAYPOST_ROLE`). One that doesn't notifies nobody on the embedded executor: those
   * that do look for due rows by themselves.
   */
  readonly runsJobs: boolean;
  /** Where this process listens; asked for once it does. */
  readonly ownUrl?: () => string | null;
}

export function createJobEngine(options: JobEngineOptions): JobEngine {
  const { config, log, services, runsJobs, ownUrl = () => null } = options;
  runWithoutAsyncContext();
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
  const jobs: CoalescedJobs = coalesceJobs({
    notifyRunning: (target) => signalRunning(services(), target),
    send: server?.signal ?? inProcess.signal,
  });
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
      return false;
  }
}

/** Without an Inngest server nobody signs requests, so none from outside may run a function. */
async function notServed(): Promise<Response> {
  return Response.json(
    { error: { code: "not_found", message: "Jobs run in process here." } },
    { status: 404 },
  );
}
