"use client";

import { Button, Group, NumberInput, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { ConfirmTyped } from "@/app/ui/confirm-typed";
import { Dialog } from "@/app/ui/dialog";
import { Fault } from "@/app/ui/query-state";
import { useTRPC } from "@/app/ui/trpc";
import { useAction } from "@/app/ui/use-action";
import { useViewer } from "../shared/viewer";

const DAYS_MIN = 2;

/**
 * Sets how long messages are kept. A shorter time erases older messages for good, so the form asks for confirmation
 * first.
 */
export function RetentionForm() {
  const { organization } = useViewer();
  const [days, setDays] = useState<number | string>(organization.retentionDays);
  const [isAsking, asking] = useDisclosure(false);
  const router = useRouter();
  const { mutateAsync } = useMutation(useTRPC().organization.setRetention.mutationOptions());
  const isShorter = Number(days) < organization.retentionDays;
  const save = async () => {
    await mutateAsync({ days: Number(days) });
    router.refresh();
  };
  const form = useAction(save, `Message content is now kept for ${days} days.`);
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isShorter && Number(days) >= DAYS_MIN) asking.open();
          else form.onSubmit(event);
        }}
        noValidate
      >
        <Stack gap="sm">
          <Fault of={form.faultBeside("days")} />
          <NumberInput
            label="Days"
            description={`At least ${DAYS_MIN}`}
            name="days"
            min={DAYS_MIN}
            // A number that is too small is refused with a message, and never saved as a different one.
            clampBehavior="none"
            allowDecimal={false}
            value={days}
            error={form.faultAt("days")}
            onChange={setDays}
            maw="16rem"
          />
          <Group>
            <Button
              type="submit"
              variant="default"
              color={isShorter ? "red" : undefined}
              loading={form.isBusy}
              disabled={days === "" || Number(days) === organization.retentionDays}
            >
              {isShorter ? "Save and erase older content" : "Save"}
            </Button>
          </Group>
        </Stack>
      </form>
      <ConfirmErasure days={Number(days)} isOpen={isAsking} onClose={asking.close} onConfirmed={save} />
    </>
  );
}

interface Props {
  readonly days: number;
  readonly onClose: () => void;
  readonly onConfirmed: () => Promise<void>;
}

/** Asks for the number of days again: older data is erased for the whole organization. */
function ConfirmErasure({ isOpen, ...props }: Props & { isOpen: boolean }) {
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
