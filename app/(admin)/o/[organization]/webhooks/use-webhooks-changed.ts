"use client";

import { useTRPC } from "@/app/ui/trpc";
import { useRefetch } from "@/app/ui/use-refetch";

/** Has everything that shows a webhook endpoint or a delivery read anew. */
export function useWebhooksChanged(): () => Promise<void> {
  const trpc = useTRPC();
  const refetch = useRefetch();
  return () => refetch(trpc.webhooks.pathFilter(), trpc.audit.pathFilter());
}
