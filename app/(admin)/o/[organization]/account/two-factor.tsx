"use client";

import { Button, Group, PasswordInput, Stack, Text } from "@mantine/core";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { askAuth } from "@/app/ui/auth";
import { Fault } from "@/app/ui/query-state";
import { Section } from "@/app/ui/section";
import { Tag } from "@/app/ui/tag";
import { takeFocus } from "@/app/ui/focus";
import { useAction } from "@/app/ui/use-action";
import { useViewer } from "../shared/viewer";
import { Enrolment, RecoveryCodes } from "./enrolment";

type Step =
  | { readonly kind: "rest" }
  | { readonly kind: "password"; readonly purpose: "enable" | "disable" | "renew" }
  | { readonly kind: "enrol"; readonly totpUri: string; readonly recoveryCodes: string[] }
  | { readonly kind: "codes"; readonly recoveryCodes: string[] };

const ASKS = {
  enable: "Set up the app",
  disable: "Turn it off",
  renew: "Create new recovery codes",
} as const;

export function TwoFactor() {
  const { me } = useViewer();
  const router = useRouter();
  const [step, setStep] = useState<Step>({ kind: "rest" });
  // Signing in asks for a code as soon as the codes exist, even before the page is reloaded.
  const isOn = me.hasTwoFactor || step.kind === "codes";
  const rest = () => {
    setStep({ kind: "rest" });
    router.refresh();
  };
  return (
    <Section
      title="Two-factor sign-in"
      lead="To sign in, you need your password and a code from an app on your phone."
    >
      <Stack gap="sm">
        <div>{isOn ? <Tag tone="good">on</Tag> : <Tag tone="warn">off</Tag>}</div>
        {step.kind === "rest" ? <Choices isOn={me.hasTwoFactor} onChoose={setStep} /> : null}
        {step.kind === "password" ? (
          <PasswordStep purpose={step.purpose} onStep={setStep} onRest={rest} />
        ) : null}
        {step.kind === "enrol" ? (
          <Enrolment
            totpUri={step.totpUri}
            onDone={() => setStep({ kind: "codes", recoveryCodes: step.recoveryCodes })}
            onCancel={rest}
          />
        ) : null}
        {step.kind === "codes" ? <RecoveryCodes codes={step.recoveryCodes} onKept={rest} /> : null}
      </Stack>
    </Section>
  );
}

function Choices({ isOn, onChoose }: { isOn: boolean; onChoose: (step: Step) => void }) {
  const choose = (purpose: keyof typeof ASKS) => () => onChoose({ kind: "password", purpose });
  if (!isOn) {
    return (
      <Group>
        <Button variant="default" onClick={choose("enable")}>
          Turn on
        </Button>
      </Group>
    );
  }
  return (
    <Group>
      <Button variant="default" onClick={choose("renew")}>
        New recovery codes
      </Button>
      <Button variant="default" onClick={choose("disable")}>
        Turn off
      </Button>
    </Group>
  );
}

function PasswordStep({
  purpose,
  onStep,
  onRest,
}: {
  purpose: keyof typeof ASKS;
  onStep: (step: Step) => void;
  onRest: () => void;
}) {
  const [password, setPassword] = useState("");
  const form = useAction(async () => {
    if (purpose === "enable")
      onStep({ kind: "enrol", ...(await askAuth("/two-factor/enable", { password })) });
    else if (purpose === "renew")
      onStep({ kind: "codes", ...(await askAuth("/two-factor/generate-backup-codes", { password })) });
    else {
      await askAuth("/two-factor/disable", { password });
      onRest();
    }
  });
  return (
    <form onSubmit={form.onSubmit} noValidate>
      <Stack gap="sm" maw="24rem">
        <Text size="sm">Enter your password to confirm: this changes how you sign in.</Text>
        <Fault of={form.faultBeside("password")} />
        <PasswordInput
          label="Password"
          name="current-password"
          autoComplete="current-password"
          ref={takeFocus}
          value={password}
          error={form.faultAt("password")}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Group>
          <Button type="submit" loading={form.isBusy} disabled={password === ""}>
            {ASKS[purpose]}
          </Button>
          <Button variant="subtle" color="gray" onClick={onRest}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
