"use client";

import { Button, Group, Paper, Stack, Text, ThemeIcon, Title, VisuallyHidden } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { IconCheck } from "@/app/ui/icons";
import { SecretLine } from "@/app/ui/secret-line";
import { useTRPC } from "@/app/ui/trpc";
import { useBaseUrl } from "../keys/use-base-url";
import { InlineLink } from "../shared/inline-link";
import { useMay, useViewer } from "../shared/viewer";
import { hasArrived, type MessageRow } from "../shared/message-state";

const POLL_MS = 2_000;
const CONTACTS_READ = "20";

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

/** A command to copy. It addresses a customer who may be written to, if there is one. */
function HowToSend({ onTest }: { onTest: () => void }) {
  const may = useMay();
  return (
    <Stack gap="xs">
      {may("integrations.manage_api") ? <CurlLine /> : null}
      {may("messages.send") ? (
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={onTest}>
            Send a message from here
          </Button>
        </Group>
      ) : null}
    </Stack>
  );
}

const EXAMPLE_NUMBER = "4915112345678";

function CurlLine() {
  const trpc = useTRPC();
  const baseUrl = useBaseUrl();
  const contacts = useQuery(
    trpc.contacts.search.queryOptions({ limit: CONTACTS_READ }, { enabled: useMay()("contacts.read") }),
  ).data?.data;
  const open = contacts?.find(({ windowOpenUntil, number }) => windowOpenUntil !== null && number !== null);
  const body = {
    client_message_id: "hello-1",
    type: "text",
    to: { kind: "whatsapp", handle: open?.number ?? EXAMPLE_NUMBER },
    text: { body: "Hello from Waypost" },
  };
  const line = [
    `curl -sS ${baseUrl}/api/public/v1/messages`,
    `-H "Authorization: Bearer $WAYPOST_KEY"`,
    `-H "Content-Type: application/json"`,
    `-d '${JSON.stringify(body)}'`,
  ].join(" ");
  return (
    <>
      <div>
        Set <code>WAYPOST_KEY</code> to an API key: the key that was printed at the first start, or a new one
        from <InlineLink to="/keys">API keys</InlineLink>.
        {open === undefined
          ? " You can send free text only to a customer who wrote within the last 24 hours."
          : null}
      </div>
      <SecretLine label="Run this in a terminal" value={line} onCopied={() => undefined} />
    </>
  );
}
