"use client";

import { Anchor, Button, Group, Stack, Text, TextInput, Title } from "@mantine/core";
import { useState } from "react";
import { askAuth } from "@/app/ui/auth";
import { Fault } from "@/app/ui/fault";
import { useAction } from "@/app/ui/use-action";

const KINDS = {
  totp: {
    path: "/two-factor/verify-totp",
    title: "Enter the code from your app",
    label: "Six-digit code",
    hint: "Your authenticator app shows a new code every 30 seconds.",
    other: "Use a recovery code instead",
  },
  recovery: {
    path: "/two-factor/verify-backup-code",
    title: "Enter a recovery code",
    label: "Recovery code",
    hint: "One of the codes that you saved when you turned on two-factor sign-in. Each code works once.",
    other: "Use the code from the app instead",
  },
} as const;

export function SecondFactorForm({ onDone, onBack }: { onDone: () => void; onBack: () => void }) {
  const [kind, setKind] = useState<keyof typeof KINDS>("totp");
  const [code, setCode] = useState("");
  const { path, title, label, hint, other } = KINDS[kind];
  const form = useAction(async () => {
    await askAuth(path, { code });
    onDone();
  });
  return (
    <form onSubmit={form.onSubmit} noValidate>
      <Stack>
        <Title order={1}>{title}</Title>
        <Fault of={form.faultBeside("code")} />
        <TextInput
          key={kind}
          label={label}
          description={hint}
          name="code"
          autoComplete="one-time-code"
          inputMode={kind === "totp" ? "numeric" : "text"}
          autoFocus
          required
          value={code}
          error={form.faultAt("code")}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Button type="submit" loading={form.isBusy} fullWidth>
          Sign in
        </Button>
        <Group justify="space-between">
          <Anchor
            component="button"
            type="button"
            size="sm"
            onClick={() => {
              setKind(kind === "totp" ? "recovery" : "totp");
              setCode("");
              form.forget();
            }}
          >
            {other}
          </Anchor>
          <Anchor component="button" type="button" size="sm" onClick={onBack}>
            Back
          </Anchor>
        </Group>
        <Text size="sm" c="dimmed">
          Lost both? The operator of this server can turn off two-factor sign-in for you.
        </Text>
      </Stack>
    </form>
  );
}
