"use client";

import { Anchor, PasswordInput, Stack, Text, TextInput, Title } from "@mantine/core";
import Link from "next/link";
import { toApiError } from "@/app/ui/api-error";
import { askAuth } from "@/app/ui/auth";

interface NewAccount {
  readonly name: string;
  readonly password: string;
}

/** Name and password of a new user. */
export function NewAccountFields({
  value,
  onChange,
  faultAt,
  hasFocus = false,
}: {
  value: NewAccount;
  onChange: (value: NewAccount) => void;
  faultAt: (field: "name" | "password") => string | null;
  /** If true, the name field has the focus when the form opens. */
  hasFocus?: boolean;
}) {
  return (
    <>
      <TextInput
        label="Your name"
        name="name"
        autoComplete="name"
        autoFocus={hasFocus}
        required
        value={value.name}
        error={faultAt("name")}
        onChange={(event) => onChange({ ...value, name: event.currentTarget.value })}
      />
      <PasswordInput
        label="Password"
        description="At least 12 characters. Use a sentence that nobody else would think of."
        name="password"
        autoComplete="new-password"
        required
        value={value.password}
        error={faultAt("password")}
        onChange={(event) => onChange({ ...value, password: event.currentTarget.value })}
      />
    </>
  );
}

/**
 * Signs in somebody whose account was just created. If that fails, the account still exists, so this isn't an error of
 * its creation.
 */
export async function signInFirst(person: { email: string; password: string }): Promise<boolean> {
  return askAuth("/sign-in/email", person).then(
    () => true,
    () => false,
  );
}

/** Shown when the account exists and its link is used up: the remaining step is to sign in. */
export function AccountMade({ email, next }: { email: string; next: string }) {
  return (
    <Stack>
      <Title order={1}>Your account was created</Title>
      <Text>
        You couldn’t be signed in automatically. Sign in as <strong>{email}</strong> with the password that
        you chose.
      </Text>
      <Anchor component={Link} href={`/sign-in?next=${encodeURIComponent(next)}`}>
        Sign in
      </Anchor>
    </Stack>
  );
}

/**
 * Shown beside the refusal of a link that was just opened: the user may have used it already, with the response lost.
 */
export function UsedLinkHint({ error }: { error: unknown }) {
  if (error === null || toApiError(error).code !== "link_invalid") return null;
  return (
    <Text size="sm">
      If you already pressed the button, your account exists:{" "}
      <Anchor inherit component={Link} href="/sign-in">
        sign in
      </Anchor>
      .
    </Text>
  );
}
