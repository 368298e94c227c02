import { Anchor, Stack, Text, Title } from "@mantine/core";
import Link from "next/link";

export function DeadLink({ message, remedy }: { message: string; remedy: string }) {
  return (
    <Stack>
      <Title order={1}>This link doesn’t work</Title>
      <Text>
        {message} {remedy}
      </Text>
      <Anchor component={Link} href="/sign-in">
        Sign in
      </Anchor>
    </Stack>
  );
}
