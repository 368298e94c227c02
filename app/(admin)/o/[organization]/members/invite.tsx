"use client";

import { Button, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Dialog, DialogButtons } from "@/app/ui/dialog";
import { Fault } from "@/app/ui/query-state";
import { SecretLine } from "@/app/ui/secret-line";
import { ShownOnce, useShownOnce } from "@/app/ui/shown-once";
import { useTRPC } from "@/app/ui/trpc";
import { useAction } from "@/app/ui/use-action";
import { useChanged } from "../shared/use-changed";
import { useViewer } from "../shared/viewer";
import { type Rights, RightsFields } from "./rights-fields";

const RIGHTS_FIRST: Rights = { role: "agent", permissions: [] };

/** The token of an invitation's link, kept while its dialog is open. */
interface MadeLink {
  readonly email: string;
  readonly token: string;
}

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
          label="Email address"
          description="They sign in with this address. Waypost doesn’t send email: you give them the link yourself."
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

/** A dialog that creates an invitation's link and then shows it. The link is shown only once. */
function LinkDialog({
  isOpen,
  onClose,
  title,
  renderForm,
}: {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  /** The content until the link exists. */
  renderForm: (onMade: (made: MadeLink) => void) => React.ReactNode;
}) {
  const [made, setMade] = useState<MadeLink | null>(null);
  const shown = useShownOnce({
    isShown: made !== null,
    onClose: () => {
      setMade(null);
      onClose();
    },
  });
  return (
    <Dialog isOpen={isOpen} onClose={shown.tryToClose} title={title} size="md">
      {made === null ? (
        renderForm(setMade)
      ) : (
        <ShownOnce what="link" loss="If you lose it, you have to create a new link." of={shown}>
          <Text>
            Give this link to <strong>{made.email}</strong>. The link is shown only once, works once and
            expires in seven days.
          </Text>
          <Line token={made.token} onCopied={shown.noteCopied} />
        </ShownOnce>
      )}
    </Dialog>
  );
}

function Line({ token, onCopied }: { token: string; onCopied: () => void }) {
  const { organization } = useViewer();
  const url = `${organization.publicUrl ?? window.location.origin}/invitation#${token}`;
  return <SecretLine label="Invitation link" value={url} onCopied={onCopied} hasFocus />;
}

/** Creates an invitation's link. It replaces an earlier one of the same address and is kept nowhere. */
function useInvite(): (invited: Rights & { email: string }) => Promise<MadeLink> {
  const renew = useChanged("members");
  const { mutateAsync, reset } = useMutation(useTRPC().members.invite.mutationOptions({ gcTime: 0 }));
  return async ({ email, role, permissions }) => {
    const { token } = await mutateAsync({ email, role, permissions: [...permissions] });
    reset();
    // Not awaited: the link must be shown even if the reload fails.
    void renew();
    return { email, token };
  };
}
