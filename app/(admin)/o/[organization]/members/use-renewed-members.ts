"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/app/ui/trpc";

/** Asks anew who is a member and who is invited. */
export function useRenewedMembers(): () => Promise<void> {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries(trpc.members.pathFilter());
}
