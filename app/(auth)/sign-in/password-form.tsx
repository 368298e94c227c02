"use client";

import { Button, PasswordInput, Stack, Text, TextInput, Title } from "@mantine/core";
import { useMounted } from "@mantine/hooks";
import { useRef } from "react";
import { askAuth } from "@/app/ui/auth";
import { Fault } from "@/app/ui/fault";
import { useAction } from "@/app/ui/use-action";

export function PasswordForm({
  level = 1,
  email: knownEmail = "",
  onDone,
}: {
  /** The level of its heading. */
  level?: 1 | 2;
  /** The account to sign in to, if it is known. */
  email?: string;
  onDone: (answer: { needsSecondFactor: boolean }) => void;
}) {
  const element = useRef<HTMLFormElement>(null);
  const isReady = useMounted();
  const form = useAction(async () =>
    onDone(await askAuth("/sign-in/email", Object.fromEntries(new FormData(element.current ?? undefined)))),
  );
  // The HTML arrives before its script. Until the script runs, nothing is sent, input stays, and no form submission
  // puts a password into the URL.
  return (
    <form ref={element} method="post" onSubmit={form.onSubmit} noValidate>
      <Stack>
        <Title order={level}>Sign in</Title>
        <Fault of={form.faultBeside("email", "password")} />
        <TextInput
          label="E-mail address"
          name="email"
          type="email"
          autoComplete="username"
          autoFocus
          required
          defaultValue={knownEmail}
          error={form.faultAt("email")}
        />
        <PasswordInput
          label="Password"
          name="password"
          autoComplete="current-password"
          required
          error={form.faultAt("password")}
        />
        <Button type="submit" disabled={!isReady} loading={form.isBusy} fullWidth>
          Sign in
        </Button>
        <Text size="sm" c="dimmed">
          Forgot your password? Ask the operator of this server for a link to set a new one.
        </Text>
      </Stack>
    </form>
  );
}
