"use client";

import { Button, Code, Group, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { encode } from "uqr";
import { askAuth } from "@/app/ui/auth";
import { CopyIcon, CopyText } from "@/app/ui/copy";
import { Fault } from "@/app/ui/query-state";
import { takeFocus } from "@/app/ui/focus";
import { useAction } from "@/app/ui/use-action";
import styles from "./enrolment.module.css";

/** Links an authenticator app to this account: shows a QR code, and asks for a code to confirm it. */
export function Enrolment({
  totpUri,
  onDone,
  onCancel,
}: {
  totpUri: string;
  onDone: () => void;
  onCancel: () => void;
}) {
  const [code, setCode] = useState("");
  const form = useAction(async () => {
    await askAuth("/two-factor/verify-totp", { code });
    onDone();
  });
  const secret = new URL(totpUri).searchParams.get("secret") ?? "";
  return (
    <form onSubmit={form.onSubmit} noValidate>
      <Stack gap="sm">
        <Text>1. Scan this QR code with an authenticator app.</Text>
        <QrCode text={totpUri} />
        <Text size="sm" c="dimmed" component="div">
          Or enter this setup key in the app: <Code className={styles.secret}>{secret}</Code>{" "}
          <CopyIcon value={secret} what="setup key" />
        </Text>
        <Text>2. Enter the code that the app shows.</Text>
        <Fault of={form.faultBeside("code")} />
        <TextInput
          label="Six-digit code"
          name="code"
          autoComplete="one-time-code"
          inputMode="numeric"
          maw="12rem"
          ref={takeFocus}
          value={code}
          error={form.faultAt("code")}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Group>
          <Button type="submit" loading={form.isBusy} disabled={code === ""}>
            Turn on
          </Button>
          <Button variant="subtle" color="gray" onClick={onCancel}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Dark on light in both colour schemes: many apps can't read an inverted code. */
function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { ecc: "M", border: 3 });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")))
    .join("");
  return (
    <svg viewBox={`0 0 ${size} ${size}`} className={styles.code}>
      <title>QR code with the setup key</title>
      <path d={path} />
    </svg>
  );
}

/** Shows the recovery codes. They are shown only once. */
export function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  return (
    <Stack gap="sm">
      <Text fw={600} tabIndex={-1} ref={takeFocus}>
        Save these recovery codes
      </Text>
      <Text size="sm">
        You can use each code once to sign in without the app. They are shown only now. Earlier recovery codes
        no longer work.
      </Text>
      <ul className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Group>
        <CopyText value={codes.join("\n")} label="Copy all" />
        <Button onClick={onKept}>I have saved them</Button>
      </Group>
    </Stack>
  );
}
