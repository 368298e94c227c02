import { createTRPCClient, httpLink } from "@trpc/client";
import type { AppRouter } from "@/server/edge/trpc/router";

/** A client for the procedures that are open to anybody with a link. */
export const openCalls = createTRPCClient<AppRouter>({ links: [httpLink({ url: "/api/trpc" })] });
