"use client";

import { Button, Group, PasswordInput, Stack, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Page } from "@/app/ui/admin-page";
import { askAuth } from "@/app/ui/auth";
import { Fault } from "@/app/ui/query-state";
import { Section } from "@/app/ui/section";
import { useTRPC } from "@/app/ui/trpc";
import { useAction } from "@/app/ui/use-action";
import { useViewer } from "../shared/viewer";
import { Sessions, useRenewedSessions } from "./sessions";
import { TwoFactor } from "./two-factor";

export function Account() {
  const { me } = useViewer();
  return (
    <Page title="Account and security" lead={`You sign in as ${me.email}.`}>
      <Stack gap={40} maw="44rem">
        <NameForm />
        <PasswordChange />
        <TwoFactor />
        <Sessions />
      </Stack>
    </Page>
  );
}

function NameForm() {
  const { me } = useViewer();
  const [name, setName] = useState(me.name);
  const router = useRouter();
  const { mutateAsync } = useMutation(useTRPC().account.rename.mutationOptions());
  const form = useAction(async () => {
    await mutateAsync({ name });
    router.refresh();
  }, "Your name was changed.");
  return (
    <Section title="Name">
      <form onSubmit={form.onSubmit} noValidate>
        <Fault of={form.faultBeside("name")} />
        <Group align="flex-start" gap="sm">
          <TextInput
            aria-label="Name"
            name="name"
            autoComplete="name"
            value={name}
            error={form.faultAt("name")}
            onChange={(event) => setName(event.currentTarget.value)}
            flex="1 1 14rem"
          />
          <Button type="submit" variant="default" loading={form.isBusy} disabled={name === me.name}>
            Save
          </Button>
        </Group>
      </form>
    </Section>
  );
}

const NOTHING = { currentPassword: "", newPassword: "" };

function PasswordChange() {
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
