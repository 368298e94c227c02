"use client";

import { useTRPC } from "@/app/ui/trpc";
import { useRefetch } from "@/app/ui/use-refetch";

/** Returns a function that reloads everything that shows a channel. */
export function useChannelsChanged(): () => Promise<void> {
  const trpc = useTRPC();
  const refetch = useRefetch();
  return () => refetch(trpc.channels.pathFilter(), trpc.audit.pathFilter());
}
