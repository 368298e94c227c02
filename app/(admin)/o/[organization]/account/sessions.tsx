"use client";

import { Button, Group, Text } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import type { inferOutput } from "@trpc/tanstack-react-query";
import { ActionButton } from "@/app/ui/action-button";
import { type Column, DataTable } from "@/app/ui/data-table";
import { Fault, QueryState } from "@/app/ui/query-state";
import { Section } from "@/app/ui/section";
import { Tag } from "@/app/ui/tag";
import { Time } from "@/app/ui/time";
import { type Procedures, useTRPC } from "@/app/ui/trpc";
import { useAction } from "@/app/ui/use-action";
import { useRefetch } from "@/app/ui/use-refetch";
import { browserName } from "./browser-name";

type Session = inferOutput<Procedures["account"]["sessions"]>[number];

const COLUMNS: readonly Column<Session>[] = [
  {
    head: "Device",
    cell: ({ userAgent, isThisOne }) => (
      <Group gap="xs">
        {browserName(userAgent)}
        {isThisOne ? <Tag tone="good">this device</Tag> : null}
      </Group>
    ),
  },
  { head: "IP address", cell: ({ address }) => address ?? "unknown" },
  { head: "Signed in", cell: ({ createdAt }) => <Time at={createdAt} isExact /> },
  { head: "End", isQuiet: true, cell: (session) => <EndButton session={session} /> },
];

function EndButton({ session: { id, isThisOne, userAgent } }: { session: Session }) {
  const renew = useRenewedSessions();
  const { mutateAsync } = useMutation(useTRPC().account.endSession.mutationOptions());
  const act = useAction(async () => {
    await mutateAsync({ sessionId: id });
    await renew();
  }, "The session was ended.");
  if (isThisOne) return null;
  return (
    <ActionButton
      act={act}
      size="compact-sm"
      variant="default"
      aria-label={`End the session of ${browserName(userAgent)}`}
    >
      End
    </ActionButton>
  );
}

export function Sessions() {
  const trpc = useTRPC();
  const query = useQuery(trpc.account.sessions.queryOptions());
  const renew = useRenewedSessions();
  const { mutateAsync } = useMutation(trpc.account.endOtherSessions.mutationOptions());
  const act = useAction(async () => {
    await mutateAsync();
    await renew();
  }, "You were signed out everywhere else.");
  return (
    <Section
      title="Sessions"
      lead="The devices where you are signed in. If you don’t recognize one, end its session and change your password."
    >
      <QueryState query={query} rows={2}>
        {(sessions) => (
          <>
            <DataTable caption="Sessions" columns={COLUMNS} rows={sessions} rowKey={({ id }) => id} />
            <Fault of={act.faultBeside()} />
            {sessions.length > 1 ? (
              <Group>
                <Button variant="default" loading={act.isBusy} onClick={act.run}>
                  End all other sessions
                </Button>
              </Group>
            ) : (
              <Text size="sm" c="dimmed">
                You aren’t signed in anywhere else.
              </Text>
            )}
          </>
        )}
      </QueryState>
    </Section>
  );
}

/** Returns a function that reloads the session. */
export function useRenewedSessions(): () => Promise<void> {
  const trpc = useTRPC();
  const refetch = useRefetch();
  return () => refetch(trpc.account.sessions.queryFilter());
}
