"use client";

import { Stack } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Dialog } from "@/app/ui/dialog";
import { DialogButtons } from "@/app/ui/dialog-buttons";
import { Fault } from "@/app/ui/fault";
import { useTRPC } from "@/app/ui/trpc";
import { useAction } from "@/app/ui/use-action";
import type { Member } from "./members";
import { type Rights, RightsFields } from "./rights-fields";
import { useRenewedMembers } from "./use-renewed-members";

interface DialogOf {
  readonly member: Member;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function RightsDialog({ member, isOpen, onClose }: DialogOf) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={`Role and permissions of ${member.name}`} size="md">
      <RightsForm member={member} onClose={onClose} />
    </Dialog>
  );
}

function RightsForm({ member, onClose }: Omit<DialogOf, "isOpen">) {
  const [rights, setRights] = useState<Rights>({ role: member.role, permissions: member.permissions });
  const renew = useRenewedMembers();
  const router = useRouter();
  const { mutateAsync } = useMutation(useTRPC().members.setRights.mutationOptions());
  const form = useAction(async () => {
    await mutateAsync({ memberId: member.id, role: rights.role, permissions: [...rights.permissions] });
    await renew();
    if (member.isYou) router.refresh();
    onClose();
  }, `The role and permissions of ${member.name} were changed.`);
  return (
    <form onSubmit={form.onSubmit}>
      <Stack>
        <Fault of={form.faultBeside()} />
        <RightsFields value={rights} onChange={setRights} />
        <DialogButtons onClose={onClose} isBusy={form.isBusy}>
          Save
        </DialogButtons>
      </Stack>
    </form>
  );
}
