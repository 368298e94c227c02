import { Button, Group } from "@mantine/core";

/** The way out of a dialog and the way on, at the end of its form. */
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
  /** Whether the way on can't be undone. */
  isDanger?: boolean;
  /** The one that the dialog begins with, where no field is it. */
  focus?: "out" | "on";
  /** Words of the way on. */
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
