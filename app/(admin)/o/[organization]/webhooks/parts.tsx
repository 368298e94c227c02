import { Code, Group, Stack, Title } from "@mantine/core";
import { type ReactNode, useId } from "react";
import { CopyText } from "@/app/ui/copy";
import { Fact, Facts } from "@/app/ui/facts";
import styles from "./parts.module.css";

/** A section of a panel, with its own heading. */
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

/** Text with its own line breaks, as written by a program. */
export function Verbatim({ children }: { children: string }) {
  return (
    <pre className={styles.lines}>
      <code>{children}</code>
    </pre>
  );
}

/** Verbatim text with a button that copies it, or the text that it stands for. */
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

/** The headers of a request, as a program sees them. */
export function HeaderFacts({ of }: { of: readonly (readonly [name: string, value: string])[] }) {
  return (
    <Facts>
      {of.map(([name, value]) => (
        <Fact key={name} name={name}>
          <Code className={styles.value}>{value}</Code>
        </Fact>
      ))}
    </Facts>
  );
}

/** Formats JSON with one line per field. Other texts stay unchanged. */
export function prettyOf(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
