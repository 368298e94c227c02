"use client";

import { QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createTRPCClient, httpBatchLink, type TRPCLink } from "@trpc/client";
import { createTRPCContext } from "@trpc/tanstack-react-query";
import { type ReactNode, useState } from "react";
import type { AppRouter } from "@/server/edge/trpc/router";
import { leaveWithoutAccess } from "./leave";
import { toApiError } from "./api-error";
import { ClockAhead } from "./time";

const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<AppRouter>();
export { useTRPC, useTRPCClient };

/** The procedures as pages call them; `inferOutput<Procedures["keys"]["list"]>` is the output type of one. */
export type Procedures = ReturnType<typeof useTRPC>;

/** Longer URLs are split into several requests, because servers limit a URL's length. */
const ADDRESS_LENGTH_MAX = 4_000;
/** The server's maximum per request. */
const BATCH_MAX = 30;

/** By how many milliseconds the clock of a demo is ahead. No response has it unless the clock was moved. */
const CLOCK_HEADER = "X-Clock-Ahead-Ms";

/** Provides the procedures for one organization, and the server's clock, which each response may move. */
export function Data({
  organizationId,
  clockAheadMs,
  children,
}: {
  organizationId: string;
  clockAheadMs: number;
  children: ReactNode;
}) {
  const [aheadMs, setAheadMs] = useState(clockAheadMs);
  const [queryClient] = useState(createQueryClient);
  const [client] = useState(() =>
    createTRPCClient<AppRouter>({
      links: [
        withoutDirection,
        httpBatchLink({
          url: "/api/trpc",
          maxURLLength: ADDRESS_LENGTH_MAX,
          maxItems: BATCH_MAX,
          headers: { "X-Organization-Id": organizationId },
          fetch: async (url, init) => {
            const response = await fetch(url, init);
            if (response.ok) setAheadMs(Number(response.headers.get(CLOCK_HEADER) ?? 0));
            return response;
          },
        }),
      ],
    }),
  );
  return (
    <QueryClientProvider client={queryClient}>
      <TRPCProvider trpcClient={client} queryClient={queryClient}>
        <ClockAhead value={aheadMs}>{children}</ClockAhead>
      </TRPCProvider>
    </QueryClientProvider>
  );
}

/** tRPC adds a direction to the input of a paged list. Procedures reject unknown fields, so it is removed. */
const withoutDirection: TRPCLink<AppRouter> =
  () =>
  ({ op, next }) => {
    if (typeof op.input !== "object" || op.input === null || !("direction" in op.input)) return next(op);
    const { direction: _, ...input } = op.input;
    return next({ ...op, input });
  };

/**
 * The server may be reachable although the browser counts as offline. If it isn’t, the page says so instead of waiting.
 */
const ALWAYS = "always";

function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: leaveWithoutAccess }),
    defaultOptions: {
      queries: {
        staleTime: 2_000,
        retry: (failures, error) => failures < 2 && mayPass(error),
        networkMode: ALWAYS,
      },
      mutations: { onError: leaveWithoutAccess, networkMode: ALWAYS },
    },
  });
}

/** Returns whether an immediate retry may succeed. Errors with a definite reason aren't retried. */
function mayPass(error: unknown): boolean {
  const { code } = toApiError(error);
  return code === null || code === "unavailable";
}
