import { newId } from "@/db/schema";
import { callerOf, trpcMount } from "@/server/edge/trpc/mount";
import { t } from "@/server/core/trpc";
import { appRouter, type AppRouter } from "@/server/edge/trpc/router";
import { authMount } from "@/server/edge/auth/mount";
import type { Services } from "@/server/core/context";
import { inboxMount } from "@/server/edge/inbox/mount";
import { type Documentation, documentation } from "./documentation";
import type { HttpRuntime } from "@/server/edge/http/server";
import { exportMount } from "@/server/edge/exports/mount";
import { filesMount } from "@/server/edge/files/mount";
import { knownFailure } from "@/server/transport/page-error";
import { createKeyUsage } from "@/server/domain/keys/last-used";
import { checkInputs } from "@/server/edge/public/check-inputs";
import type { PublicResponse } from "@/server/transport/envelope";
import { createPublicHandler, type PublicHandler } from "@/server/edge/public/handle";
import { fetchMount } from "@/server/edge/public/mounts";
import { proceduresOf } from "@/server/edge/public/routes";
import { createRequestRecorder } from "@/server/domain/requests/recorder";
import { type CallbackRequest, takeCallback } from "@/server/edge/callbacks/intake";
import { callbackFetchMount } from "@/server/edge/callbacks/mounts";

const createCaller = t.createCallerFactory(appRouter);
export type PageCaller = ReturnType<typeof createCaller>;

/** The single runtime object of a process. Transports access the program only through it. */
export interface Runtime extends HttpRuntime {
  readonly router: AppRouter;
  readonly publicApi: { readonly handle: PublicHandler; fetch(request: Request): Promise<Response> };
  /**
   * The procedures for a page that is rendered here, authorized by the request's cookie. @throws WaypostError without a
   * cause.
   */
  readonly pageCaller: (headers: Headers, organizationId: string | null) => Promise<PageCaller>;
  readonly whatsapp: {
    readonly callbacks: {
      take(channelId: string, request: CallbackRequest): Promise<PublicResponse>;
      fetch(request: Request, channelId: string): Promise<Response>;
    };
  };
  /** Content of the pages below /docs. */
  readonly documentation: Documentation;
  /** Stores data that is collected in memory. */
  close(): Promise<void>;
}

/**
 * Builds the runtime over its services.
 * @param serveInngest the SDK's serve handler with Waypost's functions.
 * @throws Error for a procedure without a capability, or with an input that the public API would coerce.
 */
export function createRuntime(
  services: Services,
  serveInngest: (request: Request) => Promise<Response>,
): Runtime {
  proceduresOf(appRouter);
  checkInputs(appRouter);
  const keyUsage = createKeyUsage(services);
  const recorder = createRequestRecorder(services);
  const handle = createPublicHandler(services, appRouter, {
    keyUsed: (actor) => keyUsage.touch(actor),
    refused: (request) => recorder.refused(request),
    succeeded: (request) => recorder.succeeded(request),
  });
  const take = (channelId: string, request: CallbackRequest) => takeCallback(services, channelId, request);
  return {
    services,
    router: appRouter,
    publicApi: { handle, fetch: fetchMount(handle) },
    pageCaller: async (headers, organizationId) => {
      const requestId = newId();
      try {
        return createCaller(await callerOf(services, headers, { organizationId, requestId, address: null }));
      } catch (error) {
        throw knownFailure(services, requestId, error);
      }
    },
    trpc: { fetch: trpcMount(services, appRouter) },
    exports: { fetch: exportMount(services) },
    files: { fetch: filesMount(services) },
    auth: { fetch: authMount(services) },
    whatsapp: { callbacks: { take, fetch: callbackFetchMount(take) } },
    demoInbox: { fetch: inboxMount(services) },
    documentation: documentation(services),
    inngest: { fetch: serveInngest },
    close: async () => {
      await Promise.all([keyUsage.stop(), recorder.stop()]);
    },
  };
}
