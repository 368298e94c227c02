"use client";

import { Radio, Stack, Switch, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Dialog, DialogButtons } from "@/app/ui/dialog";
import { Fault, QueryState } from "@/app/ui/query-state";
import { useTRPC, useTRPCClient } from "@/app/ui/trpc";
import { useAction } from "@/app/ui/use-action";
import { useChanged } from "../shared/use-changed";
import { ScopesField } from "./key-fields";
import type { KeyDetail, NewSecret, ScopeName } from "./types";

const OVERLAPS = [
  { seconds: 0, label: "Expires immediately", former: "The previous secret has expired." },
  { seconds: 3_600, label: "Works for another hour", former: "The previous secret works for another hour." },
  { seconds: 86_400, label: "Works for another day", former: "The previous secret works for another day." },
  {
    seconds: 7 * 86_400,
    label: "Works for another 7 days",
    former: "The previous secret works for another 7 days.",
  },
] as const;

const DEFAULT_OVERLAP = OVERLAPS[2];

interface Props {
  of: KeyDetail;
  onMade: (made: NewSecret) => void;
  onClose: () => void;
}

/** Gives a key a new secret and passes it on. */
export function RotateKey({ isOpen, ...props }: Props & { isOpen: boolean }) {
  return (
    <Dialog isOpen={isOpen} onClose={props.onClose} title={`Rotate the secret of ${props.of.name}`}>
      <RotateForm {...props} />
    </Dialog>
  );
}

function RotateForm({ of: key, onMade, onClose }: Props) {
  const client = useTRPCClient();
  const changed = useChanged("keys");
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
        <Text>The key keeps its limits and its history. Its programs need the new secret.</Text>
        <Radio.Group
          label="Current secret"
          description={
            key.expiresAt === null
              ? "While both secrets work, you can switch your programs one by one."
              : "While both secrets work, you can switch your programs one by one. Both end when the key expires."
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
          <Text size="sm">The key already has two secrets. The older one ends immediately.</Text>
        ) : null}
        <Switch
          label="Also change the scopes"
          description="The change applies immediately, to both secrets."
          checked={scopes !== null}
          onChange={(event) => setScopes(event.currentTarget.checked ? [...key.scopes] : null)}
        />
        {scopes === null ? null : (
          <Scopes value={scopes} error={act.faultAt("scopes")} onChange={setScopes} />
        )}
        <Fault of={act.faultBeside("scopes")} />
        <DialogButtons onClose={onClose} isBusy={act.isBusy}>
          Create new secret
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
