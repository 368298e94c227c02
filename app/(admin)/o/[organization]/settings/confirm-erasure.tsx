"use client";

import { Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { Dialog } from "@/app/ui/dialog";
import { Fault } from "@/app/ui/fault";
import { isTyped, TypedWord } from "@/app/ui/typed-word";
import { useAct } from "@/app/ui/use-act";

interface Props {
  readonly days: number;
  readonly onClose: () => void;
  readonly onConfirmed: () => Promise<void>;
}

/** Asks for the number of days once more: what was kept for longer is gone for the whole organization. */
export function ConfirmErasure({ isOpen, ...props }: Props & { isOpen: boolean }) {
  return (
    <Dialog isOpen={isOpen} onClose={props.onClose} title="Erase what is older" size="md">
      <ConfirmForm {...props} />
    </Dialog>
  );
}

function ConfirmForm({ days, onClose, onConfirmed }: Props) {
  const [typed, setTyped] = useState("");
  const word = `${days} days`;
  const isConfirmed = isTyped(typed, word);
  const act = useAct(async () => {
    await onConfirmed();
    onClose();
  }, "What is older will be erased within the hour.");
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isConfirmed) act.run();
      }}
    >
      <Stack gap="md">
        <Text>
          What all messages of this organization said, and the numbers that they went to, are erased where
          they are older than {word}. That can’t be undone.
        </Text>
        <TypedWord label="Confirmation" word={word} value={typed} onChange={setTyped} />
        <Fault of={act.faultBeside()} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" color="red.9" disabled={!isConfirmed} loading={act.isBusy}>
            Save, and erase
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
