"use client";

import { useTRPC } from "@/app/ui/trpc";
import { useAskAnew } from "@/app/ui/use-ask-anew";

/** Has everything that shows a key read anew. */
export function useKeysChanged(): () => Promise<void> {
  const trpc = useTRPC();
  const askAnew = useAskAnew();
  return () => askAnew(trpc.keys.pathFilter(), trpc.audit.pathFilter());
}
