"use client";

import { useMutation } from "@tanstack/react-query";
import { useTRPC } from "@/app/ui/trpc";
import type { MadeLink } from "./invitation-link";
import type { Rights } from "./rights-fields";
import { useRenewedMembers } from "./use-renewed-members";

/** Creates an invitation's link. It replaces an earlier one of the same address and is kept nowhere. */
export function useInvite(): (invited: Rights & { email: string }) => Promise<MadeLink> {
  const renew = useRenewedMembers();
  const { mutateAsync, reset } = useMutation(useTRPC().members.invite.mutationOptions({ gcTime: 0 }));
  return async ({ email, role, permissions }) => {
    const { token } = await mutateAsync({ email, role, permissions: [...permissions] });
    reset();
    // Not awaited: the link must be shown even if the reload fails.
    void renew();
    return { email, token };
  };
}
