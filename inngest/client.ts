import { Inngest } from "inngest";
import type { Logger } from "pino";
import type { Config } from "@/server/platform/config";
import { boundedFetch } from "./bounded-fetch";
import { createSdkLogger } from "./sdk-logger";

/** Where the embedded executor listens for its own client: an address that is never dialled. */
export const EMBEDDED_BASE_URL = "http://inngest.embedded";

export interface ClientOptions {
  readonly inngest: Config["inngest"];
  readonly log: Logger;
  /** In place of the network: the embedded executor. */
  readonly fetch?: typeof fetch | undefined;
}

/** The Inngest client: of a real server where one is configured, else of the executor in this process. */
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
