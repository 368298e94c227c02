"use client";

import { Button, Group, PasswordInput, Stack } from "@mantine/core";
import { useState } from "react";
import { askAuth } from "@/app/ui/auth";
import { Fault } from "@/app/ui/fault";
import { Section } from "@/app/ui/section";
import { useAction } from "@/app/ui/use-action";
import { useViewer } from "../shared/viewer";
import { useRenewedSessions } from "./use-renewed-sessions";

const NOTHING = { currentPassword: "", newPassword: "" };

export function PasswordChange() {
  const { me } = useViewer();
  const renew = useRenewedSessions();
  const [typed, setTyped] = useState(NOTHING);
  const form = useAction(async () => {
    await askAuth("/change-password", typed);
    setTyped(NOTHING);
    await renew();
  }, "Your password was changed. You were signed out everywhere else.");
  return (
    <Section title="Password" lead="If you change it, you are signed out everywhere except here.">
      <form onSubmit={form.onSubmit} noValidate>
        <Stack gap="sm">
          <Fault of={form.faultBeside("currentPassword", "newPassword")} />
          <input type="email" name="email" autoComplete="username" value={me.email} readOnly hidden />
          <PasswordInput
            label="Current password"
            name="current-password"
            autoComplete="current-password"
            value={typed.currentPassword}
            error={form.faultAt("currentPassword")}
            onChange={(event) => setTyped({ ...typed, currentPassword: event.currentTarget.value })}
          />
          <PasswordInput
            label="New password"
            description="At least 12 characters."
            name="new-password"
            autoComplete="new-password"
            value={typed.newPassword}
            error={form.faultAt("newPassword")}
            onChange={(event) => setTyped({ ...typed, newPassword: event.currentTarget.value })}
          />
          <Group>
            <Button
              type="submit"
              variant="default"
              loading={form.isBusy}
              disabled={typed.currentPassword === "" || typed.newPassword === ""}
            >
              Change password
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
