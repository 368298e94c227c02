"use client";

import { Button, Stack, Text, TextInput, Title } from "@mantine/core";
import { useState } from "react";
import { openCalls } from "@/app/(auth)/link";
import { AccountMade, NewAccountFields, signInFirst, UsedLinkHint } from "../new-account";
import { DeadLink, useLink } from "../link";
import { Fault } from "@/app/ui/query-state";
import { useAction } from "@/app/ui/use-action";

const open = (token: string) => openCalls.setup.open.mutate({ token });

export function Setup() {
  const link = useLink(open);
  if (link.kind === "dead") return <DeadLink message={link.message} remedy={link.remedy} />;
  if (link.kind === "opening") return <Text c="dimmed">Checking the link …</Text>;
  return <SetupForm token={link.token} />;
}

function SetupForm({ token }: { token: string }) {
  const [organizationName, setOrganizationName] = useState("");
  const [email, setEmail] = useState("");
  const [account, setAccount] = useState({ name: "", password: "" });
  const [next, setNext] = useState<string | null>(null);
  const form = useAction(async () => {
    const { organizationId } = await openCalls.setup.setUp.mutate({
      token,
      organizationName,
      email,
      ...account,
    });
    const path = `/o/${organizationId}/channels`;
    if (await signInFirst({ email, password: account.password })) window.location.assign(path);
    else setNext(path);
  });
  if (next !== null) return <AccountMade email={email} next={next} />;
  return (
    <form onSubmit={form.onSubmit} noValidate>
      <Stack>
        <Title order={1}>Welcome to Waypost</Title>
        <Text c="dimmed">
          Create your organization and the owner’s account. You can invite other people later.
        </Text>
        <Fault of={form.faultBeside("organizationName", "email", "name", "password")} />
        <UsedLinkHint error={form.faultBeside()} />
        <TextInput
          label="Organization name"
          name="organization"
          autoComplete="organization"
          autoFocus
          required
          value={organizationName}
          error={form.faultAt("organizationName")}
          onChange={(event) => setOrganizationName(event.currentTarget.value)}
        />
        <TextInput
          label="Your email address"
          name="email"
          type="email"
          autoComplete="username"
          required
          value={email}
          error={form.faultAt("email")}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <NewAccountFields value={account} onChange={setAccount} faultAt={form.faultAt} />
        <Button type="submit" loading={form.isBusy} fullWidth>
          Create organization
        </Button>
      </Stack>
    </form>
  );
}
