"use client";

import { Stack, Text } from "@mantine/core";
import { ConfirmTyped } from "@/app/ui/confirm-typed";
import { Dialog } from "@/app/ui/dialog";
import { useAction } from "@/app/ui/use-action";

interface Props {
  readonly days: number;
  readonly onClose: () => void;
  readonly onConfirmed: () => Promise<void>;
}

/** Asks for the number of days again: older data is erased for the whole organization. */
export function ConfirmErasure({ isOpen, ...props }: Props & { isOpen: boolean }) {
  return (
    <Dialog isOpen={isOpen} onClose={props.onClose} title="Erase older messages" size="md">
      <Confirmation {...props} />
    </Dialog>
  );
}

function Confirmation({ days, onClose, onConfirmed }: Props) {
  const word = `${days} days`;
  const act = useAction(async () => {
    await onConfirmed();
    onClose();
  }, "The content of older messages will be erased within the hour.");
  return (
    <Stack gap="md">
      <Text>
        The content and the recipient numbers of all messages of this organization that are older than {word}{" "}
        will be erased. This can’t be undone.
      </Text>
      <ConfirmTyped label="Confirmation" word={word} act={act} confirm="Save and erase" onClose={onClose} />
    </Stack>
  );
}
