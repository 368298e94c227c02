"use client";

import { useTRPC } from "@/app/ui/trpc";
import { useAskAnew } from "@/app/ui/use-ask-anew";

/** Asks anew who is a member and who is invited. */
export function useRenewedMembers(): () => Promise<void> {
  const trpc = useTRPC();
  const askAnew = useAskAnew();
  return () => askAnew(trpc.members.pathFilter());
}
