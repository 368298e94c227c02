"use client";

import { Drawer } from "@mantine/core";
import { useMounted } from "@mantine/hooks";
import type { SidePanelProps } from "./side-panel";

/** What a side panel is made of. */
export function SidePanelDrawer({ title, isOpen, onClose, children }: SidePanelProps) {
  // Mantine only remembers whose the focus was where the drawer opens after it was there.
  const isThere = useMounted();
  // Without a role, its `header` would be that of the page a second time.
  return (
    <Drawer.Root
      opened={isOpen && isThere}
      onClose={onClose}
      position="right"
      size="min(44rem, 100vw)"
      transitionProps={{ duration: 0 }}
    >
      <Drawer.Overlay backgroundOpacity={0.35} />
      <Drawer.Content>
        <Drawer.Header role="presentation">
          <Drawer.Title fw={650} fz="lg">
            {title}
          </Drawer.Title>
          <Drawer.CloseButton aria-label="Back to the list" />
        </Drawer.Header>
        <Drawer.Body>{children}</Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
