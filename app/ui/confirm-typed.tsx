"use client";

import { Stack, TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { DialogButtons } from "./dialog";
import { Fault } from "./query-state";
import { visibleText } from "./visible-text";
import type { useAction } from "./use-action";

/** Asks for a typed word before an irreversible action, so that it hits the intended item. */
export function ConfirmTyped({
  label,
  word,
  isSame = (typed) => visibleText(typed) === visibleText(word),
  act,
  fault = act.faultBeside(),
  confirm,
  onClose,
  children,
}: {
  label: string;
  word: string;
  /**
   * Returns true if the input is the word. The default compares the visible text, because nobody can type invisible
   * characters.
   */
  isSame?: (typed: string) => boolean;
  act: ReturnType<typeof useAction>;
  /** The error, unless a further field shows it. */
  fault?: unknown;
  /** The button's label. */
  confirm: string;
  onClose: () => void;
  /** Further fields. */
  children?: ReactNode;
}) {
  const [typed, setTyped] = useState("");
  const isConfirmed = isSame(typed);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isConfirmed) act.onSubmit(event);
      }}
    >
      <Stack gap="md">
        <TextInput
          label={label}
          description={
            <span style={{ overflowWrap: "anywhere" }}>Type “{visibleText(word)}” to confirm.</span>
          }
          required
          data-autofocus
          // The form may appear after the dialog opened, when Mantine no longer looks for `data-autofocus`.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        {children}
        <Fault of={fault} />
        <DialogButtons onClose={onClose} isBusy={act.isBusy} isDisabled={!isConfirmed} isDanger>
          {confirm}
        </DialogButtons>
      </Stack>
    </form>
  );
}
