"use client";

import { Stack } from "@mantine/core";
import { Page } from "@/app/ui/admin-page";
import { useViewer } from "../shared/viewer";
import { NameForm } from "./name-form";
import { PasswordChange } from "./password-change";
import { Sessions } from "./sessions";
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
