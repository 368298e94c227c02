"use client";

import { PasswordInput, TextInput } from "@mantine/core";

export interface NewAccount {
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
