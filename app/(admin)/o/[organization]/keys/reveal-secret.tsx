"use client";

import { Text } from "@mantine/core";
import { SecretLine } from "@/app/ui/secret-line";
import { RevealDialog, type Revealed } from "../shared/reveal-secret";
import type { NewSecret } from "./types";
import { useBaseUrl } from "./use-base-url";

/** Shows the new secret of a key, with a command that tries it. */
export function RevealSecret(revealed: Revealed<NewSecret>) {
  const baseUrl = useBaseUrl();
  return (
    <RevealDialog
      {...revealed}
      ownerOf={({ keyName }) => keyName}
      loss="If you lose it, you have to create another secret for this key."
    >
      {({ secret, former }, onCopied) => (
        <>
          <Text>
            This secret is shown only once. Copy it now and store it with your program’s other secrets.{" "}
            {former}
          </Text>
          <SecretLine label="Secret" value={secret} onCopied={onCopied} hasFocus />
          <SecretLine
            label="Try it in a terminal"
            value={`curl -sS ${baseUrl}/api/public/v1/ping -H "Authorization: Bearer ${secret}"`}
            onCopied={onCopied}
          />
        </>
      )}
    </RevealDialog>
  );
}
