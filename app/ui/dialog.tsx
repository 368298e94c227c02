"use client";

import { Modal } from "@mantine/core";
import type { ReactNode } from "react";

/**
 * A dialog with a title. What stands in it is made anew each time that it opens, and gone when it closes. A click beside it
 * doesn't close it, because something may have been typed.
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
  // Without a role, its `header` would be that of the page a second time.
  return (
    <Modal.Root
      opened={isOpen}
      onClose={onClose}
      size={size}
      closeOnClickOutside={false}
      transitionProps={{ duration: 0 }}
    >
      <Modal.Overlay />
      <Modal.Content>
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
