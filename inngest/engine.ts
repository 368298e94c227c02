import { serve } from "inngest/edge";
import type { Logger } from "pino";
import type { Config } from "@/server/config";
import type { Services } from "@/server/context";
import { coalesceJobs, type CoalescedJobs } from "@/server/jobs";
import { signalDrain } from "@/server/messages/drain";
import { createFunctions } from ".";
import { createInngestClient, EMBEDDED_BASE_URL } from "./client";
import { runWithoutAsyncContext } from "./embedded/async-context";
import { createEmbeddedExecutor } from "./embedded/executor";
import { wakeSender } from "./wake";

/** What runs the functions: a real Inngest server, or the executor in this process. */
export interface JobEngine {
  readonly jobs: CoalescedJobs;
  /** For `/api/inngest`: the SDK's serve handler over the functions, where an Inngest server calls them. */
  readonly serve: (request: Request) => Promise<Response>;
  /** Runs functions in this process, where no Inngest server does. */
  start(): void;
  /** Starts nothing more, and resolves when what runs here has ended. */
  stop(): Promise<void>;
}

/**
 * @param services asked for when they exist: the functions need the services, and the services wake the functions.
 * @param runsJobs whether this process runs functions (`WAYPOST_ROLE`). One that doesn't wakes nobody on the embedded
 * executor: those that do look for due rows by themselves.
 */
export function createJobEngine(options: {
  config: Config;
  log: Logger;
  services: () => Services;
  runsJobs: boolean;
}): JobEngine {
  const { config, log, services, runsJobs } = options;
  const isEmbedded = config.inngest === null;
  if (isEmbedded) runWithoutAsyncContext();
  const executor = isEmbedded
    ? createEmbeddedExecutor({ baseUrl: EMBEDDED_BASE_URL, appId: "waypost", log })
    : null;
  const inngest = createInngestClient({ inngest: config.inngest, log, fetch: executor?.fetch });
  const jobs = coalesceJobs({
    tellRunning: (channelId) => signalDrain(services(), channelId),
    send: isEmbedded && !runsJobs ? async () => undefined : wakeSender(inngest, log),
  });
  const serving = lazily(() => {
    const functions = createFunctions(inngest, { services: services(), jobs });
    return { functions, handler: serve({ client: inngest, functions }) };
  });
  return {
    jobs,
    serve: (request) => (executor === null ? serving().handler(request) : notServed()),
    start() {
      if (executor !== null && runsJobs) executor.start(serving().functions, serving().handler);
    },
    stop: async () => executor?.stop(),
  };
}

/** Without an Inngest server nobody signs requests, so none from outside may run a function. */
async function notServed(): Promise<Response> {
  return Response.json(
    { error: { code: "not_found", message: "Jobs run in process here." } },
    { status: 404 },
  );
}

function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}
