"use client";

import { Button, Group, Modal } from "@mantine/core";
import type { ReactNode } from "react";

/**
 * A dialog with a title. Its content is mounted each time it opens, and unmounted when it closes. A click outside
 * doesn't close it, because it may hold unsaved input.
 */
export function Dialog({
  isOpen,
  onClose,
  title,
  size = "lg",
  children,
}: {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  size?: "md" | "lg";
  children: ReactNode;
}) {
  // Mantine refers to the title only after it is shown, when the dialog already has the focus: the label names it at
  // once. Without a role, its `header` would count as a second header of the page.
  return (
    <Modal.Root
      opened={isOpen}
      onClose={onClose}
      size={size}
      closeOnClickOutside={false}
      transitionProps={{ duration: 0 }}
    >
      <Modal.Overlay />
      <Modal.Content aria-label={title}>
        <Modal.Header role="presentation">
          <Modal.Title fw={650} lh={1.35} style={{ overflowWrap: "anywhere" }}>
            {title}
          </Modal.Title>
          <Modal.CloseButton aria-label="Close" />
        </Modal.Header>
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

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
  /** True if the action can't be undone. */
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
