"use client";

import { Anchor, Button, Group, PasswordInput, Stack, Text, TextInput, Title } from "@mantine/core";
import { useMounted } from "@mantine/hooks";
import { useRef, useState } from "react";
import { askAuth } from "@/app/ui/auth";
import { Fault } from "@/app/ui/query-state";
import { useAction } from "@/app/ui/use-action";

/** Loads the next page with a full request, so that it is rendered for the new session. */
function goTo(path: string): void {
  window.location.assign(path);
}

export function SignIn({ next }: { next: string }) {
  const [step, setStep] = useState<"password" | "second-factor">("password");
  if (step === "second-factor") {
    return <SecondFactorForm onDone={() => goTo(next)} onBack={() => setStep("password")} />;
  }
  return (
    <PasswordForm
      onDone={({ needsSecondFactor }) => (needsSecondFactor ? setStep("second-factor") : goTo(next))}
    />
  );
}

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
          label="Email address"
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
