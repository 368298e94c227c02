"use client";

import type { ReactNode, RefObject } from "react";
import { Dialog } from "@/app/ui/dialog";
import { ShownOnce, useShownOnce } from "@/app/ui/shown-once";

/** Props of a dialog that shows a new secret. */
export interface Revealed<T> {
  /** Null while there is nothing to show. */
  readonly made: T | null;
  /** Receives the focus on close: the previous dialog had it last and no longer exists. */
  readonly opener: RefObject<HTMLButtonElement | null>;
  readonly onClose: () => void;
}

/** Shows a new secret. It is shown only once and kept only here: closing the dialog discards it. */
export function RevealDialog<T>({
  made,
  opener,
  onClose,
  ownerOf,
  loss,
  children,
}: Revealed<T> & {
  /** Returns the name of what the secret belongs to. */
  ownerOf: (made: T) => string;
  /** The consequence of losing the secret. */
  loss: string;
  children: (made: T, onCopied: () => void) => ReactNode;
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
      title={made === null ? "" : `Secret of ${ownerOf(made)}`}
    >
      {made === null ? null : (
        <ShownOnce what="secret" loss={loss} of={shown}>
          {children(made, shown.noteCopied)}
        </ShownOnce>
      )}
    </Dialog>
  );
}
