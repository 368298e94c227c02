"use client";

import { Alert, Anchor, Button, Code, Group, Stack, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { Dialog } from "@/app/ui/dialog";
import { Fault } from "@/app/ui/query-state";
import { PageLink } from "@/app/ui/page-link";
import { Time } from "@/app/ui/time";
import { useTRPCClient } from "@/app/ui/trpc";
import { useAction } from "@/app/ui/use-action";
import { useChanged } from "../shared/use-changed";
import { usePath } from "../shared/viewer";
import { EndFormer } from "./end-former";
import { KeyTags } from "./key-tags";
import type { IdentifiedKey } from "./types";

/** Identifies the key that a found secret belongs to, and revokes it. Closing the dialog discards the pasted secret. */
export function FindKey({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Look up a key">
      <FindForm />
    </Dialog>
  );
}

function FindForm() {
  const client = useTRPCClient();
  const [text, setText] = useState("");
  const [found, setFound] = useState<IdentifiedKey | null>(null);
  const act = useAction(async () => setFound(await client.keys.identify.mutate({ text })));
  return (
    <Stack gap="lg">
      <form noValidate onSubmit={act.onSubmit}>
        <Stack gap="md">
          <Textarea
            label="Key or text"
            description="Paste a key, or text that contains one, such as a log line. It is neither stored nor logged."
            required
            data-autofocus
            autosize
            minRows={2}
            maxRows={8}
            autoComplete="off"
            spellCheck={false}
            value={text}
            error={act.faultAt("text")}
            onChange={(event) => {
              setText(event.currentTarget.value);
              setFound(null);
            }}
          />
          <Fault of={act.faultBeside("text")} />
          <Group justify="flex-end">
            <Button type="submit" loading={act.isBusy}>
              Find key
            </Button>
          </Group>
        </Stack>
      </form>
      <div aria-live="polite">{found === null ? null : <Result of={found} />}</div>
    </Stack>
  );
}

const OTHER_RESULTS = {
  not_a_secret: {
    title: "No key found in this text",
    what: "A key starts with ak_live_, followed by 49 letters and digits. A shortened key, as shown in lists, can’t be looked up.",
  },
  wrong_checksum: {
    title: "This isn’t a valid key",
    what: "It looks like a key, but its check digits are wrong. It was mistyped or is incomplete.",
  },
  not_of_this_organization: {
    title: "This key doesn’t belong to this organization",
    what: "Waypost doesn’t show whether it belongs to another organization. If you know whose key it may be, tell them.",
  },
} as const satisfies Record<Exclude<IdentifiedKey["result"], "found">, { title: string; what: string }>;

function Result({ of: found }: { of: IdentifiedKey }) {
  if (found.result !== "found") {
    const { title, what } = OTHER_RESULTS[found.result];
    return (
      <Alert color="gray" variant="light">
        <Text fw={650}>{title}</Text>
        <Text size="sm">{what}</Text>
      </Alert>
    );
  }
  return <Found of={found} />;
}

type FoundKey = Extract<IdentifiedKey, { result: "found" }>;

/** Says whether somebody who has the secret can do anything with it. */
function dangerOf({ key, secret }: FoundKey): string {
  if (key.status === "revoked") return "This key was revoked. Nobody can use it.";
  if (key.status === "expired") return "This key has expired. Nobody can use it.";
  if (secret.state === "ended")
    return "This is a previous secret of the key, and it has expired. The key itself works with a newer secret.";
  if (secret.state === "former")
    return "This is the previous secret of the key. It still works until its overlap ends.";
  return "This key works. Anyone who has it can do everything that the key may do.";
}

/** Offers the remedy: a previous secret is ended on its own, so that programs with the current one keep working. */
function Found({ of: found }: { of: FoundKey }) {
  const { key, secret } = found;
  const path = usePath();
  const client = useTRPCClient();
  const changed = useChanged("keys");
  const [done, setDone] = useState<string | null>(null);
  const act = useAction(async () => {
    await client.keys.revoke.mutate({ keyId: key.id, reason: "Found in an unsafe place." });
    setDone("The key was revoked. The next request with it is refused.");
    await changed();
  });
  const isDangerous = done === null && key.status === "live" && secret.state !== "ended";
  return (
    <Alert color={isDangerous ? "red" : "gray"} variant="light">
      <Stack gap="sm">
        <Text fw={650} style={{ overflowWrap: "anywhere" }}>
          {key.name}
        </Text>
        <Group gap="xs">
          {done === null ? <KeyTags of={key} /> : null}
          <Code>
            {secret.prefix}…{secret.lastFour}
          </Code>
        </Group>
        <Text size="sm">{done ?? dangerOf(found)}</Text>
        <Text size="sm">
          Last used: {secret.lastUsedAt === null ? "never" : <Time at={secret.lastUsedAt} />}
        </Text>
        <Fault of={act.faultBeside()} />
        <Group gap="sm">
          {isDangerous && secret.state === "former" ? (
            <EndFormer
              keyId={key.id}
              secretId={secret.id}
              color="red.9"
              onEnded={() =>
                setDone("The secret has expired. The next request with it is refused. The key keeps working.")
              }
            >
              Expire this secret now
            </EndFormer>
          ) : null}
          {isDangerous && secret.state === "present" ? (
            <Button color="red.9" loading={act.isBusy} onClick={act.run}>
              Revoke this key now
            </Button>
          ) : null}
          <Anchor component={PageLink} href={path(`/keys/${key.id}`)} size="sm">
            View key
          </Anchor>
        </Group>
      </Stack>
    </Alert>
  );
}
