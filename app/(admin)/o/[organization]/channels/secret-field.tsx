"use client";

import { PasswordInput, type PasswordInputProps } from "@mantine/core";

/** A field for a secret that isn't whoever types it's own: no password of theirs is offered for it, or kept. */
export function SecretField(props: PasswordInputProps & { label: string }) {
  return (
    <PasswordInput
      autoComplete="new-password"
      spellCheck={false}
      data-1p-ignore
      data-lpignore="true"
      visibilityToggleButtonProps={{ "aria-label": `Show: ${props.label}` }}
      {...props}
    />
  );
}
