import { Inngest } from "inngest";
import type { Logger } from "pino";
import type { Config } from "@/server/platform/config";
import { boundedFetch } from "./bounded-fetch";
import { createSdkLogger } from "./sdk-logger";

/** Address of the embedded executor for its own client. It is never dialled. */
export const EMBEDDED_BASE_URL = "http://inngest.embedded";

export interface ClientOptions {
  readonly inngest: Config["inngest"];
  readonly log: Logger;
  /** Replaces the network: the embedded executor. */
  readonly fetch?: typeof fetch | undefined;
}

/** Creates the Inngest client: of a real server if one is configured, else of the executor in this process. */
export function createInngestClient({ inngest, log, fetch }: ClientOptions): Inngest {
  const logger = createSdkLogger(log);
  if (inngest === null) {
    return new Inngest({
      id: "waypost",
      isDev: true,
      baseUrl: EMBEDDED_BASE_URL,
      eventKey: "embedded",
      fetch,
      logger,
    });
  }
  const { isDev, baseUrl, eventKey, signingKey, signingKeyFallback } = inngest;
  return new Inngest({
    id: "waypost",
    logger,
    isDev,
    baseUrl: baseUrl ?? undefined,
    eventKey: eventKey ?? undefined,
    signingKey: signingKey ?? undefined,
    signingKeyFallback: signingKeyFallback ?? undefined,
    fetch: fetch ?? boundedFetch(),
  });
}
