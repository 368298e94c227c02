"use client";

import { useTRPC } from "@/app/ui/trpc";
import { useRefetch } from "@/app/ui/use-refetch";

/** Asks anew who is a member and who is invited. */
export function useRenewedMembers(): () => Promise<void> {
  const trpc = useTRPC();
  const refetch = useRefetch();
  return () => refetch(trpc.members.pathFilter());
}
