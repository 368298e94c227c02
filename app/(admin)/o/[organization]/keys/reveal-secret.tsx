"use client";

import { Text } from "@mantine/core";
import type { RefObject } from "react";
import { Dialog } from "@/app/ui/dialog";
import { SecretLine } from "@/app/ui/secret-line";
import { ShownOnce, useShownOnce } from "@/app/ui/shown-once";
import type { NewSecret } from "./types";
import { useBaseUrl } from "./use-base-url";

/** Shows a new secret. It is shown only once and kept only here: closing the dialog discards it. */
export function RevealSecret({
  made,
  opener,
  onClose,
}: {
  made: NewSecret | null;
  /** Receives the focus on close: the previous dialog had it last and no longer exists. */
  opener: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
}) {
  const shown = useShownOnce({
    isShown: made !== null,
    onClose: () => {
      onClose();
      requestAnimationFrame(() => opener.current?.focus());
    },
  });
  return (
    <Dialog
      isOpen={made !== null}
      onClose={shown.tryToClose}
      title={made === null ? "" : `Secret of ${made.keyName}`}
    >
      {made === null ? null : (
        <ShownOnce
          what="secret"
          loss="If you lose it, you have to create another secret for this key."
          of={shown}
        >
          <Text>
            This secret is shown only once. Copy it now and store it with your program’s other secrets.{" "}
            {made.former}
          </Text>
          <Lines secret={made.secret} onCopied={shown.noteCopied} />
        </ShownOnce>
      )}
    </Dialog>
  );
}

function Lines({ secret, onCopied }: { secret: string; onCopied: () => void }) {
  const baseUrl = useBaseUrl();
  return (
    <>
      <SecretLine label="Secret" value={secret} onCopied={onCopied} hasFocus />
      <SecretLine
        label="Try it in a terminal"
        value={`curl -sS ${baseUrl}/api/public/v1/ping -H "Authorization: Bearer ${secret}"`}
        onCopied={onCopied}
      />
    </>
  );
}
