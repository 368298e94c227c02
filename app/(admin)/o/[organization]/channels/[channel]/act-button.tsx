"use client";

import { Button, type ButtonProps } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { refusalOf } from "@/app/ui/refusal";
import { useAct } from "@/app/ui/use-act";
import { useChannelsChanged } from "../use-channels-changed";

interface Props extends ButtonProps {
  label: string;
  /** What a quiet notification says of a success. */
  done: string;
  act: () => Promise<unknown>;
}

/** A button that does something with a channel at once. What was refused is told beside the page. */
export function ActButton({ label, done, act, ...props }: Props) {
  const changed = useChannelsChanged();
  const { isBusy, run } = useAct(async () => {
    try {
      await act();
      notifications.show({ message: done });
    } catch (error) {
      const { message, remedy } = refusalOf(error);
      notifications.show({ color: "red", title: message, message: remedy });
    }
    await changed();
  });
  return (
    <Button variant="default" {...props} loading={isBusy} onClick={run}>
      {label}
    </Button>
  );
}
