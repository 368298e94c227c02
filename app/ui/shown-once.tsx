"use client";

import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";

/**
 * Guards a value that is shown only once: it stays open until the user has copied it or says that this isn't needed.
 */
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
    /** Closes, whether it was copied or not. */
    close,
    tryToClose: () => (!isShown || isCopied ? close() : setLeaving(true)),
    noteCopied: () => {
      setCopied(true);
      setLeaving(false);
    },
  };
}

/**
 * Shows a value that is shown only once, with the button that closes it. Warns of the loss if the value wasn't copied.
 */
export function ShownOnce({
  what,
  loss,
  of: { isLeaving, close, tryToClose },
  children,
}: {
  /** A one-word name for the value. */
  what: string;
  /** The consequence of losing it. */
  loss: string;
  of: ReturnType<typeof useShownOnce>;
  children: ReactNode;
}) {
  return (
    <Stack gap="lg">
      {children}
      {isLeaving ? (
        <Alert color="yellow" variant="light" role="alert">
          <Stack gap="xs">
            <Text fw={650}>The {what} wasn’t copied</Text>
            <Text size="sm">It can’t be shown again. {loss}</Text>
            <Group>
              <Button variant="default" size="xs" onClick={close}>
                Close without the {what}
              </Button>
            </Group>
          </Stack>
        </Alert>
      ) : null}
      <Group justify="flex-end">
        <Button onClick={tryToClose}>Done</Button>
      </Group>
    </Stack>
  );
}

/** Has the browser ask before the page is left. */
function useWarningOfLeaving(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [isOn]);
}
