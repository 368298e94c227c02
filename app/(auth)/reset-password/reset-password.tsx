"use client";

import { Anchor, Button, PasswordInput, Stack, Text, Title } from "@mantine/core";
import Link from "next/link";
import { useState } from "react";
import { askAuth } from "@/app/ui/auth";
import { DeadLink, useLink } from "../link";
import { Fault } from "@/app/ui/query-state";
import { useAction } from "@/app/ui/use-action";

/** The link is checked only when it is used. */
const open = async () => null;

export function ResetPassword() {
  const link = useLink(open);
  if (link.kind === "dead") return <DeadLink message={link.message} remedy={link.remedy} />;
  if (link.kind === "opening") return null;
  return <NewPassword token={link.token} />;
}

function NewPassword({ token }: { token: string }) {
  const [newPassword, setNewPassword] = useState("");
  const [isDone, setDone] = useState(false);
  const form = useAction(async () => {
    await askAuth("/reset-password", { token, newPassword });
    setDone(true);
  });
  if (isDone) {
    return (
      <Stack>
        <Title order={1}>Your new password is set</Title>
        <Text>You were signed out everywhere.</Text>
        <Anchor component={Link} href="/sign-in">
          Sign in
        </Anchor>
      </Stack>
    );
  }
  return (
    <form onSubmit={form.onSubmit} noValidate>
      <Stack>
        <Title order={1}>Set a new password</Title>
        <Fault of={form.faultBeside("newPassword")} />
        <PasswordInput
          label="New password"
          description="At least 12 characters. You will be signed out everywhere."
          name="password"
          autoComplete="new-password"
          autoFocus
          required
          value={newPassword}
          error={form.faultAt("newPassword")}
          onChange={(event) => setNewPassword(event.currentTarget.value)}
        />
        <Button type="submit" loading={form.isBusy} fullWidth>
          Set password
        </Button>
      </Stack>
    </form>
  );
}
