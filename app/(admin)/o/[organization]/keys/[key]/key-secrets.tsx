"use client";

import { Button, Code, Group, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type Column, DataTable } from "@/app/ui/data-table";
import { Dialog } from "@/app/ui/dialog";
import { Tag } from "@/app/ui/tag";
import { Time } from "@/app/ui/time";
import { EndFormer } from "../end-former";
import type { KeyDetail } from "../types";
import styles from "./key.module.css";

type Secret = KeyDetail["secrets"][number];

const columnsOf = (keyId: string): Column<Secret>[] => [
  {
    head: "Secret",
    cell: ({ prefix, lastFour }) => (
      <Code>
        {prefix}…{lastFour}
      </Code>
    ),
  },
  {
    head: "State",
    cell: ({ endsAt }) =>
      endsAt === null ? <Tag tone="good">current</Tag> : <Tag tone="info">previous, still works</Tag>,
  },
  { head: "Created", cell: ({ createdAt }) => <Time at={createdAt} /> },
  { head: "Last used", cell: ({ lastUsedAt }) => <LastUsed at={lastUsedAt} /> },
  { head: "Ends", cell: ({ endsAt }) => (endsAt === null ? "with the key" : <Time at={endsAt} isExact />) },
  {
    head: "End",
    isQuiet: true,
    cell: (secret) => (secret.endsAt === null ? null : <EndNow keyId={keyId} secret={secret} />),
  },
];

function LastUsed({ at }: { at: Secret["lastUsedAt"] }) {
  return at === null ? "never" : <Time at={at} />;
}

/** Asks first: programs that still use the secret are refused from then on. */
function EndNow({ keyId, secret }: { keyId: string; secret: Secret }) {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={open} aria-label="Expire the previous secret">
        Expire now
      </Button>
      <Dialog isOpen={isOpen} onClose={close} title="Expire the previous secret" size="md">
        <Stack gap="md">
          <Text>
            Programs that still use it are refused from their next request. The current secret keeps working.
          </Text>
          <Text>
            Last used: <LastUsed at={secret.lastUsedAt} />
          </Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={close} data-autofocus>
              Cancel
            </Button>
            <EndFormer keyId={keyId} secretId={secret.id} color="red.9" onEnded={close}>
              Expire this secret now
            </EndFormer>
          </Group>
        </Stack>
      </Dialog>
    </>
  );
}

/** The secrets that work now: two while a new one overlaps with the previous one. */
export function KeySecrets({ of: { id, secrets } }: { of: KeyDetail }) {
  return (
    <Stack component="section" gap="xs" aria-labelledby="secrets">
      <h2 id="secrets" className={styles.heading}>
        Secrets
      </h2>
      <DataTable
        caption="Active secrets"
        columns={columnsOf(id)}
        rows={secrets}
        rowKey={({ id: secretId }) => secretId}
      />
    </Stack>
  );
}
