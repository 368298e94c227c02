"use client";

import { Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Dialog, DialogButtons } from "@/app/ui/dialog";
import { Fault } from "@/app/ui/query-state";
import { useTRPC } from "@/app/ui/trpc";
import { useAction } from "@/app/ui/use-action";
import { useChanged } from "../shared/use-changed";
import type { Member } from "./members";
import { type Rights, RightsFields } from "./rights-fields";

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
  const renew = useChanged("members");
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

export function RemoveDialog({
  member,
  isOpen,
  onClose,
}: {
  member: Member;
  isOpen: boolean;
  onClose: () => void;
}) {
  const renew = useChanged("members");
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
