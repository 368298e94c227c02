"use client";

import { Button, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import { openCalls } from "@/app/(auth)/link";
import type { OpenedInvitation } from "@/server/domain/members/open-invitation";
import { AccountMade, NewAccountFields, signInFirst, UsedLinkHint } from "../new-account";
import { DeadLink, useLink } from "../link";
import { Fault } from "@/app/ui/query-state";
import { PasswordForm, SecondFactorForm } from "../sign-in/sign-in";
import { useAction } from "@/app/ui/use-action";

const open = (token: string) => openCalls.members.openInvitation.mutate({ token });

export function Invitation() {
  const link = useLink(open);
  if (link.kind === "dead") return <DeadLink message={link.message} remedy={link.remedy} />;
  if (link.kind === "opening") return <Text c="dimmed">Checking the link …</Text>;
  const { token, data } = link;
  return data.hasAccount ? (
    <JoinAsAccount key={token} token={token} invitation={data} />
  ) : (
    <JoinAsSomebodyNew key={token} token={token} invitation={data} />
  );
}

interface Shown {
  readonly token: string;
  readonly invitation: OpenedInvitation;
}

function Welcome({ invitation: { organizationName, role } }: Pick<Shown, "invitation">) {
  return (
    <>
      <Title order={1}>Join {organizationName}</Title>
      <Text c="dimmed">
        You were invited as {role === "agent" ? "an agent" : `an ${role}`} of this organization on Waypost.
      </Text>
    </>
  );
}

/** Accepts the invitation as the signed-in user, and opens the organization. */
async function join(token: string): Promise<void> {
  const { organizationId } = await openCalls.members.acceptInvitation.mutate({ token });
  window.location.assign(`/o/${organizationId}/messages`);
}

function JoinAsAccount({ token, invitation }: Shown) {
  const [step, setStep] = useState<"password" | "second-factor" | "join">(
    invitation.isSignedIn ? "join" : "password",
  );
  const form = useAction(() => join(token));
  if (step === "second-factor") {
    return <SecondFactorForm onDone={() => setStep("join")} onBack={() => setStep("password")} />;
  }
  return (
    <Stack>
      <Welcome invitation={invitation} />
      {step === "password" ? (
        <>
          <Text>
            Sign in as <strong>{invitation.email}</strong> first. There is already an account with this
            address.
          </Text>
          <PasswordForm
            level={2}
            email={invitation.email}
            onDone={({ needsSecondFactor }) => setStep(needsSecondFactor ? "second-factor" : "join")}
          />
        </>
      ) : (
        <form onSubmit={form.onSubmit}>
          <Stack>
            <Fault of={form.faultBeside()} />
            <Text>
              You are signed in as <strong>{invitation.email}</strong>.
            </Text>
            <Button type="submit" loading={form.isBusy} fullWidth>
              Join {invitation.organizationName}
            </Button>
          </Stack>
        </form>
      )}
    </Stack>
  );
}

function JoinAsSomebodyNew({ token, invitation }: Shown) {
  const [account, setAccount] = useState({ name: "", password: "" });
  const [next, setNext] = useState<string | null>(null);
  const form = useAction(async () => {
    const { organizationId } = await openCalls.members.acceptInvitation.mutate({ token, account });
    const path = `/o/${organizationId}/messages`;
    if (await signInFirst({ email: invitation.email, password: account.password })) {
      window.location.assign(path);
    } else setNext(path);
  });
  if (next !== null) return <AccountMade email={invitation.email} next={next} />;
  return (
    <form onSubmit={form.onSubmit} noValidate>
      <Stack>
        <Welcome invitation={invitation} />
        <Text>
          You will sign in as <strong>{invitation.email}</strong>.
        </Text>
        <Fault of={form.faultBeside("account.name", "account.password")} />
        <UsedLinkHint error={form.faultBeside()} />
        {/* For password managers: the address belongs to the password. */}
        <input type="email" name="email" autoComplete="username" value={invitation.email} readOnly hidden />
        <NewAccountFields
          value={account}
          onChange={setAccount}
          faultAt={(field) => form.faultAt(`account.${field}`)}
          hasFocus
        />
        <Button type="submit" loading={form.isBusy} fullWidth>
          Join {invitation.organizationName}
        </Button>
      </Stack>
    </form>
  );
}
