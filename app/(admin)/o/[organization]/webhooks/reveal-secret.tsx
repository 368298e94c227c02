"use client";

import { Anchor, Text } from "@mantine/core";
import { SecretLine } from "@/app/ui/secret-line";
import { Time } from "@/app/ui/time";
import { RevealDialog, type Revealed } from "../shared/reveal-secret";
import { nameOf } from "./names";
import type { NewSecret } from "./types";

/** Shows the new secret of an endpoint. */
export function RevealSecret(revealed: Revealed<NewSecret>) {
  return (
    <RevealDialog
      {...revealed}
      ownerOf={({ endpoint }) => nameOf(endpoint)}
      loss="If you lose it, your program can’t verify events. You then have to create a new secret for the endpoint."
    >
      {({ endpoint: { former_secret_ends_at: formerEndsAt }, secret }, onCopied) => (
        <>
          <Text>
            This secret is shown only once. Waypost signs every event with it. Give it to your program. Your
            program must reject requests that aren’t signed with it.{" "}
            <Anchor inherit underline="always" href="/docs/webhooks/verifying" target="_blank">
              How to verify a signature
            </Anchor>
          </Text>
          {formerEndsAt === null ? null : (
            <Text>
              Events are also signed with the previous secret, so that your program doesn’t reject any. This
              ends <Time at={formerEndsAt} isExact />.
            </Text>
          )}
          <SecretLine label="Secret" value={secret} onCopied={onCopied} hasFocus />
        </>
      )}
    </RevealDialog>
  );
}
