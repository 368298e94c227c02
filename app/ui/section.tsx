import { Stack, Text, Title } from "@mantine/core";
import { type ReactNode, useId } from "react";

/** A section of a page, with its own heading. */
export function Section({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <Stack component="section" gap="sm" aria-labelledby={id}>
      <div>
        <Title order={2} id={id}>
          {title}
        </Title>
        {lead ? (
          <Text c="dimmed" size="sm" maw="42rem" mt={2}>
            {lead}
          </Text>
        ) : null}
      </div>
      {children}
    </Stack>
  );
}
