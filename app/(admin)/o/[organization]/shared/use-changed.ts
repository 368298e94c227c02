"use client";

import { useTRPC } from "@/app/ui/trpc";
import { useRefetch } from "@/app/ui/use-refetch";

/** Returns a function that reloads everything that shows a thing of this kind. */
export function useChanged(kind: "channels" | "keys" | "members" | "webhooks"): () => Promise<void> {
  const trpc = useTRPC();
  const refetch = useRefetch();
  return () => refetch(trpc[kind].pathFilter(), trpc.audit.pathFilter());
}
