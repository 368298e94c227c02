"use client";

import { Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { DialogButtons } from "@/app/ui/dialog-buttons";
import { Fault } from "@/app/ui/fault";
import { useAction } from "@/app/ui/use-action";
import { LinkDialog, type MadeLink } from "./invitation-link";
import { type Rights, RightsFields } from "./rights-fields";
import { useInvite } from "./use-invite";

const RIGHTS_FIRST: Rights = { role: "agent", permissions: [] };

/** Creates a link, shows it only once, and forgets it when the dialog is closed. */
export function InviteDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <LinkDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Invite a member"
      renderForm={(onMade) => <InviteForm onMade={onMade} onClose={onClose} />}
    />
  );
}

function InviteForm({ onMade, onClose }: { onMade: (made: MadeLink) => void; onClose: () => void }) {
  const [email, setEmail] = useState("");
  const [rights, setRights] = useState(RIGHTS_FIRST);
  const invite = useInvite();
  const form = useAction(async () => onMade(await invite({ email, ...rights })));
  return (
    <form onSubmit={form.onSubmit} noValidate>
      <Stack>
        <Fault of={form.faultBeside("email")} />
        <TextInput
          label="E-mail address"
          description="They sign in with this address. Waypost doesn’t send e-mail: you give them the link yourself."
          name="invitee"
          type="email"
          autoComplete="off"
          data-autofocus
          required
          value={email}
          error={form.faultAt("email")}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <RightsFields value={rights} onChange={setRights} />
        <DialogButtons onClose={onClose} isBusy={form.isBusy}>
          Create link
        </DialogButtons>
      </Stack>
    </form>
  );
}
