import { Group, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import styles from "./admin-page.module.css";

/** A page of the admin app: title, purpose in one sentence, actions and content. */
export function Page({
  title,
  lead,
  actions,
  children,
}: {
  title: ReactNode;
  lead?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-start" gap="sm">
        <div style={{ minWidth: 0, flex: "1 1 18rem" }}>
          <Title order={1} style={{ overflowWrap: "anywhere" }}>
            {title}
          </Title>
          {lead ? (
            <Text c="dimmed" mt={4} maw="42rem">
              {lead}
            </Text>
          ) : null}
        </div>
        {actions ? <div className={styles.actions}>{actions}</div> : null}
      </Group>
      {children}
    </Stack>
  );
}
