"use client";

import { useTRPC } from "@/app/ui/trpc";
import { useAskAnew } from "@/app/ui/use-ask-anew";

/** Has everything that shows a webhook endpoint or a delivery read anew. */
export function useWebhooksChanged(): () => Promise<void> {
  const trpc = useTRPC();
  const askAnew = useAskAnew();
  return () => askAnew(trpc.webhooks.pathFilter(), trpc.audit.pathFilter());
}
