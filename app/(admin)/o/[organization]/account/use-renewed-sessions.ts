"use client";

import { useTRPC } from "@/app/ui/trpc";
import { useAskAnew } from "@/app/ui/use-ask-anew";

/** Asks anew where somebody is signed in. */
export function useRenewedSessions(): () => Promise<void> {
  const trpc = useTRPC();
  const askAnew = useAskAnew();
  return () => askAnew(trpc.account.sessions.queryFilter());
}
