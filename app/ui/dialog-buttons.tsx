import { Button, Group } from "@mantine/core";

/** The cancel and submit buttons at the end of a dialog's form. */
export function DialogButtons({
  onClose,
  isBusy,
  isDisabled,
  isDanger = false,
  focus,
  children,
}: {
  onClose: () => void;
  isBusy: boolean;
  isDisabled?: boolean;
  /** Whether the action can't be undone. */
  isDanger?: boolean;
  /** The button with the initial focus, if no field has it. */
  focus?: "out" | "on";
  /** Label of the submit button. */
  children: string;
}) {
  return (
    <Group justify="flex-end">
      <Button variant="default" data-autofocus={focus === "out" || undefined} onClick={onClose}>
        Cancel
      </Button>
      <Button
        type="submit"
        color={isDanger ? "red.9" : undefined}
        data-autofocus={focus === "on" || undefined}
        disabled={isDisabled}
        loading={isBusy}
      >
        {children}
      </Button>
    </Group>
  );
}
