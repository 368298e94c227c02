"use client";

import { useTRPC } from "@/app/ui/trpc";
import { useRefetch } from "@/app/ui/use-refetch";

/** Returns a function that reloads everything that shows a webhook endpoint or a delivery. */
export function useWebhooksChanged(): () => Promise<void> {
  const trpc = useTRPC();
  const refetch = useRefetch();
  return () => refetch(trpc.webhooks.pathFilter(), trpc.audit.pathFilter());
}
