"use client";

import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { useEffect, useState } from "react";

/** For what is shown once and then nowhere: keeps it open until it was copied, or somebody says that it needn't be. */
export function useShownOnce({ isShown, onClose }: { isShown: boolean; onClose: () => void }) {
  const [isCopied, setCopied] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const close = () => {
    setCopied(false);
    setLeaving(false);
    onClose();
  };
  useWarningOfLeaving(isShown && !isCopied);
  return {
    isLeaving,
    /** Whatever was copied. */
    close,
    tryToClose: () => (!isShown || isCopied ? close() : setLeaving(true)),
    noteCopied: () => {
      setCopied(true);
      setLeaving(false);
    },
  };
}

/** Says what is lost, and lets it be. */
export function LeavingWarning({
  title,
  leave,
  onLeave,
  children,
}: {
  title: string;
  /** Words of the button. */
  leave: string;
  onLeave: () => void;
  children: string;
}) {
  return (
    <Alert color="yellow" variant="light" role="alert">
      <Stack gap="xs">
        <Text fw={650}>{title}</Text>
        <Text size="sm">{children}</Text>
        <Group>
          <Button variant="default" size="xs" onClick={onLeave}>
            {leave}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}

/** The browser asks before the page is left. */
function useWarningOfLeaving(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [isOn]);
}
