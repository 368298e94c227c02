import { Inngest } from "inngest";
import type { Logger } from "pino";
import type { InngestConfig } from "@/server/platform/inngest-config";
import { boundedFetch } from "./bounded-fetch";
import { createSdkLogger } from "./sdk-logger";

export interface ClientOptions {
  readonly inngest: InngestConfig;
  readonly log: Logger;
  /** Replaces the network. */
  readonly fetch?: typeof fetch | undefined;
}

/** Creates the client of an Inngest server. */
export function createInngestClient({ inngest, log, fetch }: ClientOptions): Inngest {
  const { isDev, baseUrl, eventKey, signingKey, signingKeyFallback } = inngest;
  return new Inngest({
    id: "waypost",
    logger: createSdkLogger(log),
    isDev,
    baseUrl: baseUrl ?? undefined,
    eventKey: eventKey ?? undefined,
    signingKey: signingKey ?? undefined,
    signingKeyFallback: signingKeyFallback ?? undefined,
    fetch: fetch ?? boundedFetch(),
  });
}
