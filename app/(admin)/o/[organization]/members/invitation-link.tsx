"use client";

import { Text } from "@mantine/core";
import { useState } from "react";
import { Dialog } from "@/app/ui/dialog";
import { SecretLine } from "@/app/ui/secret-line";
import { ShownOnce, useShownOnce } from "@/app/ui/shown-once";
import { useViewer } from "../shared/viewer";

/** The token of an invitation's link, kept while its dialog is open. */
export interface MadeLink {
  readonly email: string;
  readonly token: string;
}

/** A dialog that creates an invitation's link and then shows it. The link is shown only once. */
export function LinkDialog({
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
