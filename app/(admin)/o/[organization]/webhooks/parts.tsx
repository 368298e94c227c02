import { Group, Stack, Title } from "@mantine/core";
import { type ReactNode, useId } from "react";
import { CopyText } from "@/app/ui/copy";
import styles from "./parts.module.css";

/** A part of a panel, under a heading of its own. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <Stack component="section" gap="xs" aria-labelledby={id}>
      <Title order={3} fz="md" id={id}>
        {title}
      </Title>
      {children}
    </Stack>
  );
}

/** Text with its own line breaks, as programs write it. */
export function Verbatim({ children }: { children: string }) {
  return (
    <pre className={styles.lines}>
      <code>{children}</code>
    </pre>
  );
}

/** The same with a button that copies it, or what it stands for. */
export function Lines({ text, copied = text, copy }: { text: string; copied?: string; copy: string }) {
  return (
    <>
      <Verbatim>{text}</Verbatim>
      <Group>
        <CopyText value={copied} label={copy} />
      </Group>
    </>
  );
}

/** JSON with a line for each field; other texts as they are. */
export function prettyOf(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
