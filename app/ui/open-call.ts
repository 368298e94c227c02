import { createTRPCClient, httpLink } from "@trpc/client";
import type { AppRouter } from "@/server/edge/trpc/router";

/** Procedures that whoever holds a link may call. */
export const openCalls = createTRPCClient<AppRouter>({ links: [httpLink({ url: "/api/trpc" })] });
