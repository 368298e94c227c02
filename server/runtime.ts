import { appRouter, type AppRouter } from "./api/router";
import type { Services } from "./context";
import { type Documentation, documentation } from "./documentation";
import { createKeyUsage } from "./keys/last-used";
import { checkInputs } from "./public-api/check-inputs";
import type { PublicResponse } from "./public-api/envelope";
import { createPublicHandler, type PublicHandler } from "./public-api/handle";
import { fetchMount } from "./public-api/mounts";
import { proceduresOf } from "./public-api/routes";
import { type CallbackRequest, takeCallback } from "./whatsapp/callbacks/intake";
import { callbackFetchMount } from "./whatsapp/callbacks/mounts";

/** The one runtime object of a process: everything that transports reach the program through. */
export interface Runtime {
  readonly services: Services;
  readonly router: AppRouter;
  readonly publicApi: { readonly handle: PublicHandler; fetch(request: Request): Promise<Response> };
  readonly whatsapp: {
    readonly callbacks: {
      take(channelId: string, request: CallbackRequest): Promise<PublicResponse>;
      fetch(request: Request, channelId: string): Promise<Response>;
    };
  };
  /** What the pages below /docs are made of. */
  readonly documentation: Documentation;
  readonly inngest: { fetch(request: Request): Promise<Response> };
  /** Stores what is gathered in memory. */
  close(): Promise<void>;
}

/**
 * Builds the runtime over its services.
 * @param serveInngest the SDK's serve handler over Waypost's functions.
 * @throws Error for a procedure that doesn't say who may call it, or whose input the public API would coerce.
 */
export function createRuntime(
  services: Services,
  serveInngest: (request: Request) => Promise<Response>,
): Runtime {
  proceduresOf(appRouter);
  checkInputs(appRouter);
  const keyUsage = createKeyUsage({ sql: services.sql, log: services.log });
  const handle = createPublicHandler(services, appRouter, (actor) => keyUsage.touch(actor));
  const take = (channelId: string, request: CallbackRequest) => takeCallback(services, channelId, request);
  return {
    services,
    router: appRouter,
    publicApi: { handle, fetch: fetchMount(handle) },
    whatsapp: { callbacks: { take, fetch: callbackFetchMount(take) } },
    documentation: documentation(services),
    inngest: { fetch: serveInngest },
    close: () => keyUsage.stop(),
  };
}
