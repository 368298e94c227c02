"use client";

import { Button, type ButtonProps } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { toApiError } from "@/app/ui/api-error";
import { useAction } from "@/app/ui/use-action";
import { useChanged } from "../../shared/use-changed";

interface Props extends ButtonProps {
  label: string;
  /** The text of the notification on success. */
  done: string;
  act: () => Promise<unknown>;
}

/** A button that changes a channel immediately, without a dialog. An error is shown next to it. */
export function ActionButton({ label, done, act, ...props }: Props) {
  const changed = useChanged("channels");
  const { isBusy, run } = useAction(async () => {
    try {
      await act();
      notifications.show({ message: done });
    } catch (error) {
      const { message, remedy } = toApiError(error);
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
