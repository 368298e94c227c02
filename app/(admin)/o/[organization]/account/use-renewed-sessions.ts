"use client";

import { useTRPC } from "@/app/ui/trpc";
import { useRefetch } from "@/app/ui/use-refetch";

/** Asks anew where somebody is signed in. */
export function useRenewedSessions(): () => Promise<void> {
  const trpc = useTRPC();
  const refetch = useRefetch();
  return () => refetch(trpc.account.sessions.queryFilter());
}
