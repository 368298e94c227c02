import { Group, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { CopyIcon } from "./copy";
import styles from "./facts.module.css";

/** A list of facts: names and values. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className={styles.facts}>{children}</dl>;
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** An id with a copy button: people copy ids rather than read them. */
export function IdFact({ name, value }: { name: string; value: string | null }) {
  if (value === null) return null;
  return (
    <Fact name={name}>
      <Group gap={4} wrap="nowrap" align="flex-start">
        <Text span ff="monospace" fz="0.8125rem" lh={1.8} style={{ overflowWrap: "anywhere", minWidth: 0 }}>
          {value}
        </Text>
        <CopyIcon value={value} what={name} />
      </Group>
    </Fact>
  );
}
