"use client";

import { Button, Group, Stack, Text } from "@mantine/core";
import { CopyText } from "@/app/ui/copy";
import { takeFocus } from "@/app/ui/take-focus";
import styles from "./recovery-codes.module.css";

/** Shows the recovery codes. They are shown only once. */
export function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  return (
    <Stack gap="sm">
      <Text fw={600} tabIndex={-1} ref={takeFocus}>
        Save these recovery codes
      </Text>
      <Text size="sm">
        You can use each code once to sign in without the app. They are shown only now. Earlier recovery codes
        no longer work.
      </Text>
      <ul className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Group>
        <CopyText value={codes.join("\n")} label="Copy all" />
        <Button onClick={onKept}>I have saved them</Button>
      </Group>
    </Stack>
  );
}
