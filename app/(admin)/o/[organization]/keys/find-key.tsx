"use client";

import { Alert, Anchor, Button, Code, Group, Stack, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { Dialog } from "@/app/ui/dialog";
import { Fault } from "@/app/ui/fault";
import { PageLink } from "@/app/ui/page-link";
import { Time } from "@/app/ui/time";
import { useTRPCClient } from "@/app/ui/trpc";
import { useAction } from "@/app/ui/use-action";
import { usePath } from "../shared/viewer";
import { EndFormer } from "./end-former";
import { KeyTags } from "./key-tags";
import type { IdentifiedKey } from "./types";
import { useKeysChanged } from "./use-keys-changed";

/** Says which key it is that somebody found, and revokes it. What was pasted is gone when the dialog closes. */
export function FindKey({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="I found a key">
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
            label="What you found"
            description="A key, alone or within other text, such as a line of a log. It is neither kept nor logged."
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
              See which key it is
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
    title: "There is no key in this",
    what: "Keys begin with ak_live_, and 49 letters and digits follow. A shortened one, as lists show it, can’t be told.",
  },
  wrong_checksum: {
    title: "This can’t be a key",
    what: "It has the form of one, and its check digits are wrong: it was mistyped, or parts of it are missing.",
  },
  not_of_this_organization: {
    title: "It is no key of this organization",
    what: "Whether it is somebody else’s isn’t told. If you know whose it may be, tell them.",
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

/** Whether who has it can do anything with it. */
function dangerOf({ key, secret }: FoundKey): string {
  if (key.status === "revoked") return "It was revoked: nobody can do anything with it.";
  if (key.status === "expired") return "It has expired: nobody can do anything with it.";
  if (secret.state === "ended")
    return "It is a former secret of this key, and has ended. The key itself works, with a newer one.";
  if (secret.state === "former")
    return "It is the former secret of this key, and still works until its overlap ends.";
  return "It works. Whoever has it can do what this key may do.";
}

/** What is done about it: a former secret ends alone, so that the programs that have the present one work on. */
function Found({ of: found }: { of: FoundKey }) {
  const { key, secret } = found;
  const path = usePath();
  const client = useTRPCClient();
  const changed = useKeysChanged();
  const [done, setDone] = useState<string | null>(null);
  const act = useAction(async () => {
    await client.keys.revoke.mutate({ keyId: key.id, reason: "It was found where it should not be." });
    setDone("It is revoked: the very next request with it is refused.");
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
                setDone("It has ended: the very next request with it is refused. The key works on.")
              }
            >
              End this secret now
            </EndFormer>
          ) : null}
          {isDangerous && secret.state === "present" ? (
            <Button color="red.9" loading={act.isBusy} onClick={act.run}>
              Revoke this key now
            </Button>
          ) : null}
          <Anchor component={PageLink} href={path(`/keys/${key.id}`)} size="sm">
            Look at the key
          </Anchor>
        </Group>
      </Stack>
    </Alert>
  );
}
