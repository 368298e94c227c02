"use client";

import { Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { ActionButton } from "@/app/ui/action-button";
import { IconSend } from "@/app/ui/icons";
import { SecretLine } from "@/app/ui/secret-line";
import { useTRPCClient } from "@/app/ui/trpc";
import { useAction } from "@/app/ui/use-action";
import { useBaseUrl } from "../keys/use-base-url";
import { InlineLink } from "../shared/inline-link";
import { useChanged } from "../shared/use-changed";
import { useOpenContact } from "../shared/use-open-contact";
import { useMay, useViewer } from "../shared/viewer";

/** The ways to send a first message: from this page, or by a command to copy. */
export function HowToSend({ onTest }: { onTest: () => void }) {
  const may = useMay();
  return (
    <Stack gap="sm">
      {may("messages.send") ? (
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            leftSection={<IconSend size={14} aria-hidden />}
            onClick={onTest}
          >
            Send a message from here
          </Button>
        </Group>
      ) : null}
      {may("integrations.manage_api") ? <CurlLine /> : null}
    </Stack>
  );
}

const EXAMPLE_NUMBER = "4915112345678";

/** A command with the address, and with a customer who may be written to, if there is one. */
function CurlLine() {
  const baseUrl = useBaseUrl();
  const { number } = useOpenContact();
  // Kept only here, so that it is gone when the page is left.
  const [secret, setSecret] = useState<string | null>(null);
  const body = {
    client_message_id: "hello-1",
    type: "text",
    to: { kind: "whatsapp", handle: number ?? EXAMPLE_NUMBER },
    text: { body: "Hello from Waypost" },
  };
  const line = [
    `curl -sS ${baseUrl}/api/public/v1/messages`,
    `-H "Authorization: Bearer ${secret ?? "$WAYPOST_KEY"}"`,
    `-H "Content-Type: application/json"`,
    `-d '${JSON.stringify(body)}'`,
  ].join(" ");
  return (
    <div>
      {secret === null ? <KeyFirst onMade={setSecret} /> : <KeyInside />}
      <SecretLine label="Run this in a terminal" value={line} onCopied={() => undefined} />
      {number === null ? (
        <Text size="sm" mt="xs">
          Replace {EXAMPLE_NUMBER} with the number of a customer who wrote within the last 24 hours. Others
          can only get templates.
        </Text>
      ) : null}
    </div>
  );
}

const KEY_NAME = "Get started";
const KEY_DAYS = 7;

/** Offers a key for the command. Secrets of existing keys aren't stored, so none of them can be filled in. */
function KeyFirst({ onMade }: { onMade: (secret: string) => void }) {
  const client = useTRPCClient();
  const changed = useChanged("keys");
  const { isDemo } = useViewer().organization;
  const act = useAction(async () => {
    const { secret } = await client.keys.create.mutate({
      name: KEY_NAME,
      expiresInSeconds: KEY_DAYS * 86_400,
    });
    onMade(secret);
    await changed();
  });
  return (
    <Stack gap="xs" mb="xs">
      <div>
        Or by the API, from a terminal. The command needs an API key:{" "}
        {isDemo
          ? "the first start printed the same command with the demo’s key. If you no longer have it, create another key."
          : "create one for it, or set WAYPOST_KEY to a key that you have."}
      </div>
      <div>
        <ActionButton act={act} variant="default" size="xs">
          Create a key for this command
        </ActionButton>
      </div>
    </Stack>
  );
}

function KeyInside() {
  return (
    <Text size="sm" mb="xs" display="block" component="output">
      The command contains the secret of the new key “{KEY_NAME}”, which is shown only now. The key expires in{" "}
      {KEY_DAYS} days. You can revoke it earlier under <InlineLink to="/keys">API keys</InlineLink>.
    </Text>
  );
}
