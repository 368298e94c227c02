"use client";

import { useTRPC } from "@/app/ui/trpc";
import { useRefetch } from "@/app/ui/use-refetch";

/** Has everything that shows a channel read anew. */
export function useChannelsChanged(): () => Promise<void> {
  const trpc = useTRPC();
  const refetch = useRefetch();
  return () => refetch(trpc.channels.pathFilter(), trpc.audit.pathFilter());
}
