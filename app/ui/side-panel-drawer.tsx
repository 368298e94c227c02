"use client";

import { Drawer } from "@mantine/core";
import { useMounted } from "@mantine/hooks";
import type { SidePanelProps } from "./side-panel";

/** The drawer that implements a side panel. */
export function SidePanelDrawer({ title, backTo = "the list", isOpen, onClose, children }: SidePanelProps) {
  // Mantine restores the focus only if the drawer was mounted before it opened.
  const isThere = useMounted();
  // As in `Dialog`: the label names the panel at once. Without a role, its `header` would count as a second header of the page.
  return (
    <Drawer.Root
      opened={isOpen && isThere}
      onClose={onClose}
      position="right"
      size="min(44rem, 100vw)"
      transitionProps={{ duration: 0 }}
    >
      <Drawer.Overlay backgroundOpacity={0.35} />
      <Drawer.Content aria-label={title}>
        <Drawer.Header role="presentation">
          <Drawer.Title fw={650} fz="lg">
            {title}
          </Drawer.Title>
          <Drawer.CloseButton aria-label={`Back to ${backTo}`} />
        </Drawer.Header>
        <Drawer.Body>{children}</Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
