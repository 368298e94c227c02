"use client";

import { Stack, TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { DialogButtons } from "./dialog-buttons";
import { Fault } from "./fault";
import { visibleText } from "./visible-text";
import type { useAction } from "./use-action";

/** The form before what can't be undone: it asks for a word, so that it is done to what was meant. */
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
  /** Whether that is the word; else it is as people see it: what it has beside that, nobody can type. */
  isSame?: (typed: string) => boolean;
  act: ReturnType<typeof useAction>;
  /** What was refused, unless a further field shows it. */
  fault?: unknown;
  /** Words of the button. */
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
          // The form may come after the dialog opened, when nobody looks for that mark any more.
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
