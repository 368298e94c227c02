"use client";

import { Radio, Stack, Switch, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Dialog } from "@/app/ui/dialog";
import { DialogButtons } from "@/app/ui/dialog-buttons";
import { Fault } from "@/app/ui/fault";
import { QueryState } from "@/app/ui/query-state";
import { useTRPC, useTRPCClient } from "@/app/ui/trpc";
import { useAction } from "@/app/ui/use-action";
import { ScopesField } from "./key-fields";
import type { KeyDetail, NewSecret, ScopeName } from "./types";
import { useKeysChanged } from "./use-keys-changed";

const OVERLAPS = [
  { seconds: 0, label: "It ends at once", former: "The secret before it has ended." },
  { seconds: 3_600, label: "It works for an hour more", former: "The one before it works for an hour more." },
  { seconds: 86_400, label: "It works for a day more", former: "The one before it works for a day more." },
  {
    seconds: 7 * 86_400,
    label: "It works for 7 days more",
    former: "The one before it works for 7 days more.",
  },
] as const;

const DEFAULT_OVERLAP = OVERLAPS[2];

interface Props {
  of: KeyDetail;
  onMade: (made: NewSecret) => void;
  onClose: () => void;
}

/** Gives a key a new secret, and hands it on. */
export function RotateKey({ isOpen, ...props }: Props & { isOpen: boolean }) {
  return (
    <Dialog isOpen={isOpen} onClose={props.onClose} title={`New secret for ${props.of.name}`}>
      <RotateForm {...props} />
    </Dialog>
  );
}

function RotateForm({ of: key, onMade, onClose }: Props) {
  const client = useTRPCClient();
  const changed = useKeysChanged();
  const [overlap, setOverlap] = useState<(typeof OVERLAPS)[number]>(DEFAULT_OVERLAP);
  const [scopes, setScopes] = useState<ScopeName[] | null>(null);
  const act = useAction(async () => {
    const { id: keyId } = key;
    const input = { keyId, overlapSeconds: overlap.seconds, ...(scopes !== null && { scopes }) };
    const { name, secret } = await client.keys.rotate.mutate(input);
    onMade({ keyName: name, secret, former: overlap.former });
    await changed();
  });
  return (
    <form noValidate onSubmit={act.onSubmit}>
      <Stack gap="lg">
        <Text>
          The key stays the same key, with its limits and its history. Its programs need the new secret.
        </Text>
        <Radio.Group
          label="The present secret"
          description={
            key.expiresAt === null
              ? "While both work, programs can be changed over one by one."
              : "While both work, programs can be changed over one by one. Neither outlives the key’s expiry."
          }
          value={String(overlap.seconds)}
          onChange={(chosen) =>
            setOverlap(OVERLAPS.find(({ seconds }) => String(seconds) === chosen) ?? DEFAULT_OVERLAP)
          }
        >
          <Stack gap={6} mt="xs">
            {OVERLAPS.map(({ seconds, label }) => (
              <Radio
                key={seconds}
                value={String(seconds)}
                label={label}
                data-autofocus={seconds === DEFAULT_OVERLAP.seconds || undefined}
              />
            ))}
          </Stack>
        </Radio.Group>
        {key.secrets.length > 1 ? (
          <Text size="sm">The older of its two secrets, which is in its overlap now, ends at once.</Text>
        ) : null}
        <Switch
          label="Change its scopes too"
          description="They change at once, for both secrets."
          checked={scopes !== null}
          onChange={(event) => setScopes(event.currentTarget.checked ? [...key.scopes] : null)}
        />
        {scopes === null ? null : (
          <Scopes value={scopes} error={act.faultAt("scopes")} onChange={setScopes} />
        )}
        <Fault of={act.faultBeside("scopes")} />
        <DialogButtons onClose={onClose} isBusy={act.isBusy}>
          Make the new secret
        </DialogButtons>
      </Stack>
    </form>
  );
}

function Scopes(props: {
  value: ScopeName[];
  error: string | null;
  onChange: (scopes: ScopeName[]) => void;
}) {
  const trpc = useTRPC();
  const options = useQuery(trpc.keys.options.queryOptions());
  return (
    <QueryState query={options}>{({ scopes }) => <ScopesField options={scopes} {...props} />}</QueryState>
  );
}
