"use client";

import { Button, Group, Stack, Text } from "@mantine/core";
import { CopyText } from "@/app/ui/copy";
import { takeFocus } from "@/app/ui/take-focus";
import styles from "./recovery-codes.module.css";

/** The codes, this once. */
export function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  return (
    <Stack gap="sm">
      <Text fw={600} tabIndex={-1} ref={takeFocus}>
        Keep these recovery codes
      </Text>
      <Text size="sm">
        Each signs you in once when you don’t have the app. They are shown only now, and any earlier ones no
        longer work.
      </Text>
      <ul className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Group>
        <CopyText value={codes.join("\n")} label="Copy all" />
        <Button onClick={onKept}>I have kept them</Button>
      </Group>
    </Stack>
  );
}
