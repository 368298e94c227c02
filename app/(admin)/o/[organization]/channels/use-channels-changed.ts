"use client";

import { useTRPC } from "@/app/ui/trpc";
import { useAskAnew } from "@/app/ui/use-ask-anew";

/** Has everything that shows a channel read anew. */
export function useChannelsChanged(): () => Promise<void> {
  const trpc = useTRPC();
  const askAnew = useAskAnew();
  return () => askAnew(trpc.channels.pathFilter(), trpc.audit.pathFilter());
}
