"use client";

import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";

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

/** What is shown once, with the button that closes it, and who hasn't copied it is told what is lost. */
export function ShownOnce({
  what,
  loss,
  of: { isLeaving, close, tryToClose },
  children,
}: {
  /** One word for it. */
  what: string;
  /** What follows from having lost it. */
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

/** The browser asks before the page is left. */
function useWarningOfLeaving(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [isOn]);
}
