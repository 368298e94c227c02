"use client";

import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { toApiError } from "@/app/ui/api-error";
import { IconRefresh } from "@/app/ui/icons";
import { Time } from "@/app/ui/time";
import { useTRPC, useTRPCClient } from "@/app/ui/trpc";
import { useAction } from "@/app/ui/use-action";
import { useRefetch } from "@/app/ui/use-refetch";
import type { Channel } from "../channels/types";

/** Reads the templates from WhatsApp now, instead of within ten minutes. */
export function RefreshButton() {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const refetch = useRefetch();
  const { isBusy, run } = useAction(async () => {
    try {
      notifications.show({ message: wordsOf(await client.templates.refresh.mutate({})) });
    } catch (error) {
      const { message, remedy } = toApiError(error);
      notifications.show({ color: "red", title: message, message: remedy });
    }
    await refetch(trpc.templates.pathFilter(), trpc.channels.pathFilter());
  });
  return (
    <Button
      variant="default"
      leftSection={<IconRefresh size={16} aria-hidden />}
      loading={isBusy}
      onClick={run}
    >
      Synchronize with WhatsApp
    </Button>
  );
}

function wordsOf({ asked, failed, changed }: { asked: number; failed: number; changed: number }): string {
  if (asked === 0) return "The templates were already updated in the last 30 seconds.";
  if (failed > 0) return "Some templates couldn’t be updated. This page shows why.";
  if (changed === 0) return "The templates are up to date. No templates changed.";
  return changed === 1
    ? "The templates are up to date. 1 template changed."
    : `The templates are up to date. ${changed} templates changed.`;
}

/** Says when the templates were last read, and for which channels that failed. */
export function ReadState({ channels }: { channels: readonly Channel[] }) {
  const inUse = channels.filter(({ state }) => state !== "disabled");
  const failing = inUse.filter(({ templatesFailure }) => templatesFailure !== null);
  const oldest = inUse
    .flatMap(({ templatesSyncedAt: at }) => (at === null ? [] : [at]))
    .sort()
    .at(0);
  return (
    <Stack gap="xs" aria-live="polite">
      {oldest === undefined ? null : (
        <Text size="sm" c="dimmed">
          Updated from WhatsApp <Time at={oldest} />. Waypost updates them every ten minutes.
        </Text>
      )}
      {failing.length === 0 ? null : (
        <Alert color="yellow" variant="light" title="Some templates couldn’t be read">
          <Stack gap={4}>
            {failing.map(({ id, name, templatesFailure }) => (
              <Group key={id} gap={6}>
                <Text size="sm" style={{ overflowWrap: "anywhere" }}>
                  <strong>{name}</strong>: {templatesFailure}
                </Text>
              </Group>
            ))}
          </Stack>
        </Alert>
      )}
    </Stack>
  );
}
