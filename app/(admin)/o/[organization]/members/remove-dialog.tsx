"use client";

import { Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Dialog } from "@/app/ui/dialog";
import { DialogButtons } from "@/app/ui/dialog-buttons";
import { Fault } from "@/app/ui/fault";
import { useTRPC } from "@/app/ui/trpc";
import { useAction } from "@/app/ui/use-action";
import type { Member } from "./members";
import { useRenewedMembers } from "./use-renewed-members";

export function RemoveDialog({
  member,
  isOpen,
  onClose,
}: {
  member: Member;
  isOpen: boolean;
  onClose: () => void;
}) {
  const renew = useRenewedMembers();
  const { mutateAsync } = useMutation(useTRPC().members.remove.mutationOptions());
  const act = useAction(async () => {
    await mutateAsync({ memberId: member.id });
    onClose();
    await renew();
  }, `${member.name} is no longer a member.`);
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={`Remove ${member.name}`} size="md">
      <form onSubmit={act.onSubmit}>
        <Stack>
          <Fault of={act.faultBeside()} />
          <Text>
            {member.name} loses access to this organization immediately. Their open invitation links stop
            working. API keys that they created keep working: revoke the keys that only they should know.
          </Text>
          <DialogButtons onClose={onClose} isBusy={act.isBusy} isDanger focus="out">
            Remove
          </DialogButtons>
        </Stack>
      </form>
    </Dialog>
  );
}
