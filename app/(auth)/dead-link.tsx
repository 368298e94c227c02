import { Anchor, Stack, Text, Title } from "@mantine/core";
import Link from "next/link";

export function DeadLink({ message }: { message: string }) {
  return (
    <Stack>
      <Title order={1}>This link doesn’t work</Title>
      <Text>{message} Ask whoever gave it to you for a new one.</Text>
      <Anchor component={Link} href="/sign-in">
        Sign in
      </Anchor>
    </Stack>
  );
}
