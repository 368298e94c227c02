"use client";

import { useMutation } from "@tanstack/react-query";
import { useTRPC } from "@/app/ui/trpc";
import type { MadeLink } from "./invitation-link";
import type { Rights } from "./rights-fields";
import { useRenewedMembers } from "./use-renewed-members";

/** Makes an invitation's link, in place of an earlier one of the address, and keeps nothing of it. */
export function useInvite(): (invited: Rights & { email: string }) => Promise<MadeLink> {
  const renew = useRenewedMembers();
  const { mutateAsync, reset } = useMutation(useTRPC().members.invite.mutationOptions({ gcTime: 0 }));
  return async ({ email, role, permissions }) => {
    const { token } = await mutateAsync({ email, role, permissions: [...permissions] });
    reset();
    // Not waited for: whatever comes of it, the link is there to be seen.
    void renew();
    return { email, token };
  };
}
