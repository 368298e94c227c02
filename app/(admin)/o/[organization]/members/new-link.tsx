"use client";

import { Button, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { DialogButtons } from "@/app/ui/dialog-buttons";
import { Fault } from "@/app/ui/fault";
import { useAction } from "@/app/ui/use-action";
import { LinkDialog, type MadeLink } from "./invitation-link";
import type { Rights } from "./rights-fields";
import { useInvite } from "./use-invite";

type Invited = Rights & { readonly email: string };

/** Gives a pending invitation a new link, because the previous one may be lost or expired. */
export function NewLink({ invited }: { invited: Invited }) {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={open} aria-label={`New link for ${invited.email}`}>
        New link
      </Button>
      <LinkDialog
        isOpen={isOpen}
        onClose={close}
        title={`New link for ${invited.email}`}
        renderForm={(onMade) => <RenewForm invited={invited} onMade={onMade} onClose={close} />}
      />
    </>
  );
}

function RenewForm({
  invited,
  onMade,
  onClose,
}: {
  invited: Invited;
  onMade: (made: MadeLink) => void;
  onClose: () => void;
}) {
  const invite = useInvite();
  const form = useAction(async () => onMade(await invite(invited)));
  return (
    <form onSubmit={form.onSubmit}>
      <Stack>
        <Fault of={form.faultBeside()} />
        <Text>The previous link stops working. The new link expires in seven days.</Text>
        <DialogButtons onClose={onClose} isBusy={form.isBusy} focus="on">
          Create new link
        </DialogButtons>
      </Stack>
    </form>
  );
}
