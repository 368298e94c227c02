"use client";

import { Button, Group, Paper, Stack, Text, ThemeIcon, Title, VisuallyHidden } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { IconCheck } from "@/app/ui/icons";
import { useTRPC } from "@/app/ui/trpc";
import { InlineLink } from "../shared/inline-link";
import { useMay, useViewer } from "../shared/viewer";
import { hasArrived, type MessageRow } from "../shared/message-state";
import { HowToSend } from "./how-to-send";

const POLL_MS = 2_000;

/** The steps to a first message. Each is ticked off when it happens. */
export function StartSteps({
  first,
  onTest,
  onClose,
}: {
  /** The first message that arrived, else the first one. Later messages don't undo a tick. */
  first: MessageRow | undefined;
  onTest: () => void;
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const mayManageWebhooks = useMay()("webhooks.manage");
  const { isDemo } = useViewer().organization;
  const deliveries = useQuery(
    trpc.webhooks.deliveriesOfMessage.queryOptions(
      { message_id: first?.id ?? "" },
      {
        enabled: first !== undefined,
        refetchInterval: ({ state }) => (state.data?.data.some(isThere) ? false : POLL_MS),
      },
    ),
  ).data?.data;
  const isArrived = first !== undefined && hasArrived(first);
  const hasEvent = deliveries?.some(isThere) ?? false;
  const isDone = isArrived && hasEvent;
  return (
    <Paper component="section" aria-label="Get started" withBorder p="md" mb="md" radius="md">
      <Group justify="space-between" align="center" mb="sm" gap="xs">
        <Title order={2} fz="md">
          {isDone ? "All three steps are done" : "Get started"}
        </Title>
        {first === undefined ? null : (
          <Button size="compact-sm" variant="subtle" onClick={onClose}>
            Hide these steps
          </Button>
        )}
      </Group>
      <Stack component="ol" gap="md" m={0} p={0} style={{ listStyle: "none" }}>
        <Step number={1} title="Send a message" isDone={first !== undefined}>
          {first === undefined ? <HowToSend onTest={onTest} /> : null}
        </Step>
        <Step number={2} title="See it delivered" isDone={isArrived}>
          {first === undefined
            ? "The message appears on this page within a second. Its state then changes to delivered and read."
            : arrivalWords(first)}
        </Step>
        <Step number={3} title="See its webhook event" isDone={hasEvent}>
          Waypost sends each state change to your webhook endpoints.{" "}
          {!mayManageWebhooks ? null : isDemo ? (
            <>
              The demo’s events are in the <InlineLink to="/webhooks/inbox">Webhook inbox</InlineLink>.
            </>
          ) : (
            <>
              Add an endpoint under <InlineLink to="/webhooks">Webhooks</InlineLink>.
            </>
          )}
        </Step>
      </Stack>
    </Paper>
  );
}

/** If the endpoint has no URL, an event waits until it is fetched. */
const isThere = ({ state }: { readonly state: string }) => state === "delivered" || state === "available";

function arrivalWords({ id, state }: MessageRow): ReactNode {
  return (
    <>
      Its state is {state}: <InlineLink to={`/messages/${id}`}>open it</InlineLink> to see what happened.
    </>
  );
}

function Step({
  number,
  title,
  isDone,
  children,
}: {
  number: number;
  title: string;
  isDone: boolean;
  children: ReactNode;
}) {
  return (
    <Group component="li" align="flex-start" wrap="nowrap" gap="sm">
      <ThemeIcon
        radius="xl"
        size={26}
        variant={isDone ? "filled" : "light"}
        color={isDone ? "green.8" : "gray"}
        aria-hidden
      >
        {isDone ? (
          <IconCheck size={16} />
        ) : (
          <Text span fz="sm" c="var(--mantine-color-text)">
            {number}
          </Text>
        )}
      </ThemeIcon>
      <div style={{ flex: 1, minWidth: 0 }}>
        <Text fw={600} lh="26px" aria-live="polite">
          {title}
          {isDone ? <VisuallyHidden>: done</VisuallyHidden> : null}
        </Text>
        <Text size="sm" c="dimmed" component="div">
          {children}
        </Text>
      </div>
    </Group>
  );
}
