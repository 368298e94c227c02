"use client";

import { Button, Group, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Fault } from "@/app/ui/fault";
import { useAct } from "@/app/ui/use-act";
import { LinkDialog, type MadeLink } from "./invitation-link";
import type { Rights } from "./rights-fields";
import { useInvite } from "./use-invite";

type Invited = Rights & { readonly email: string };

/** Gives a pending invitation a new link: the one before may be lost, or have ended. */
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
  const form = useAct(async () => onMade(await invite(invited)));
  return (
    <form onSubmit={form.onSubmit}>
      <Stack>
        <Fault of={form.faultBeside()} />
        <Text>The link before it stops working, and the seven days begin anew.</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" data-autofocus loading={form.isBusy}>
            Make a new link
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
