"use client";

import { Anchor, Text } from "@mantine/core";
import type { RefObject } from "react";
import { Dialog } from "@/app/ui/dialog";
import { SecretLine } from "@/app/ui/secret-line";
import { ShownOnce, useShownOnce } from "@/app/ui/shown-once";
import { Time } from "@/app/ui/time";
import { nameOf } from "./names";
import type { NewSecret } from "./types";

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
      title={made === null ? "" : `Secret of ${nameOf(made.endpoint)}`}
    >
      {made === null ? null : (
        <ShownOnce
          what="secret"
          loss="If you lose it, your program can’t verify events. You then have to create a new secret for the endpoint."
          of={shown}
        >
          <Text>
            This secret is shown only once. Waypost signs every event with it. Give it to your program. Your
            program must reject requests that aren’t signed with it.{" "}
            <Anchor inherit underline="always" href="/docs/webhooks/verifying" target="_blank">
              How to verify a signature
            </Anchor>
          </Text>
          <Former of={made} />
          <SecretLine label="Secret" value={made.secret} onCopied={shown.noteCopied} hasFocus />
        </ShownOnce>
      )}
    </Dialog>
  );
}

function Former({ of: { endpoint } }: { of: NewSecret }) {
  if (endpoint.former_secret_ends_at === null) return null;
  return (
    <Text>
      Events are also signed with the previous secret, so that your program doesn’t reject any. This ends{" "}
      <Time at={endpoint.former_secret_ends_at} isExact />.
    </Text>
  );
}
