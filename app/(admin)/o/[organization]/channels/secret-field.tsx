"use client";

import { PasswordInput, type PasswordInputProps } from "@mantine/core";

/** A field for a secret that isn't the user's own password: the browser must not offer or save a password for it. */
export function SecretField(props: PasswordInputProps & { label: string }) {
  return (
    <PasswordInput
      autoComplete="new-password"
      spellCheck={false}
      data-1p-ignore
      data-lpignore="true"
      // Mantine sets it on the other fields, not on this one.
      aria-invalid={props.error ? true : undefined}
      visibilityToggleButtonProps={{ "aria-label": `Show: ${props.label}` }}
      {...props}
    />
  );
}
