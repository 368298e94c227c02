"use client";

import { Anchor, Button, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { type RefObject, useRef, useState } from "react";
import { type Column, Cut, Line, WholeTime } from "@/app/ui/data-table";
import { Page } from "@/app/ui/admin-page";
import { IconPlus } from "@/app/ui/icons";
import { PageLink } from "@/app/ui/page-link";
import { Empty, QueryState } from "@/app/ui/query-state";
import { SortableTable } from "@/app/ui/sortable-table";
import { Time } from "@/app/ui/time";
import { useTRPC } from "@/app/ui/trpc";
import { useWasOpen } from "@/app/ui/use-was-open";
import { ChannelNames } from "../shared/channels-field";
import { usePath } from "../shared/viewer";
import { EndpointTags } from "./tags";
import { WebhookTabs } from "./webhook-tabs";
import { nameOf, shortUrl } from "./names";
import type { Endpoint, NewSecret } from "./types";
import { eventsInWords } from "./words";

const CreateEndpoint = dynamic(() => import("./create-endpoint").then((module) => module.CreateEndpoint));
const RevealSecret = dynamic(() => import("./reveal-secret").then((module) => module.RevealSecret));

/** States change on their own. */
const REFRESH_MS = 5_000;

const COLUMNS: Column<Endpoint>[] = [
  { head: "Endpoint", share: 44, sortBy: nameOf, cell: (endpoint) => <Name of={endpoint} /> },
  {
    head: "State",
    sortBy: ({ disabled_at: disabledAt, failing_since: failingSince }) =>
      disabledAt !== null ? "disabled" : failingSince !== null ? "failing" : "healthy",
    cell: (endpoint) => <State of={endpoint} />,
  },
  { head: "Events", cell: ({ events }) => eventsInWords(events) },
  {
    head: "Channels",
    cell: ({ channel_ids: ids }) => (ids === null ? "all" : <ChannelNames ids={ids} />),
  },
  { head: "Added", sortBy: ({ created_at: at }) => at, cell: ({ created_at: at }) => <WholeTime at={at} /> },
];

function Name({ of: endpoint }: { of: Endpoint }) {
  const path = usePath();
  const { id, url } = endpoint;
  const name = nameOf(endpoint);
  const address = url === null ? "Your program fetches events" : shortUrl(url);
  return (
    <Line>
      <Cut>
        <Anchor inherit component={PageLink} href={path(`/webhooks/${id}`)}>
          {name}
        </Anchor>
      </Cut>
      {name === address ? null : <Cut isDimmed>{address}</Cut>}
    </Line>
  );
}

function State({ of: endpoint }: { of: Endpoint }) {
  const { disabled_at: disabledAt, failing_since: failingSince } = endpoint;
  const since = disabledAt ?? failingSince;
  return (
    <Line>
      <EndpointTags of={endpoint} />
      {since === null ? null : (
        <Text span c="dimmed" fz="0.8125rem">
          since <Time at={since} />
        </Text>
      )}
    </Line>
  );
}

export function Webhooks() {
  const [dialog, setDialog] = useQueryState("dialog", parseAsStringLiteral(["create"]));
  const opener = useRef<HTMLButtonElement>(null);
  const create = () => void setDialog("create", { history: "push" });
  return (
    <Page
      title="Webhooks"
      lead="Get events about message states and customer messages in your programs in real time."
      actions={
        <Button ref={opener} leftSection={<IconPlus size={16} aria-hidden />} onClick={create}>
          Add an endpoint
        </Button>
      }
    >
      <WebhookTabs />
      <List onCreate={create} />
      <Creation isOpen={dialog === "create"} onClose={() => void setDialog(null)} opener={opener} />
    </Page>
  );
}

/** The form, and then the secret. */
function Creation({
  isOpen,
  onClose,
  opener,
}: {
  isOpen: boolean;
  onClose: () => void;
  opener: RefObject<HTMLButtonElement | null>;
}) {
  const [made, setMade] = useState<NewSecret | null>(null);
  const wasOpen = useWasOpen(isOpen);
  if (!wasOpen) return null;
  return (
    <>
      <CreateEndpoint
        isOpen={isOpen}
        onClose={onClose}
        onMade={(secret) => {
          onClose();
          setMade(secret);
        }}
      />
      <RevealSecret made={made} opener={opener} onClose={() => setMade(null)} />
    </>
  );
}

function List({ onCreate }: { onCreate: () => void }) {
  const trpc = useTRPC();
  // One page holds more than an organization's maximum.
  const query = useQuery(trpc.webhooks.list.queryOptions({}, { refetchInterval: REFRESH_MS }));
  return (
    <QueryState query={query}>
      {({ data }) =>
        data.length === 0 ? (
          <NoEndpoints onCreate={onCreate} />
        ) : (
          <SortableTable
            isComplete
            caption="Webhook endpoints, newest first"
            columns={COLUMNS}
            rows={data}
            rowKey={({ id }) => id}
            isMuted={({ disabled_reason: reason }) => reason === "member"}
          />
        )
      }
    </QueryState>
  );
}

function NoEndpoints({ onCreate }: { onCreate: () => void }) {
  return (
    <Empty title="No endpoints yet">
      <p>
        An endpoint is the URL of your program. When a message is sent, delivered, read or fails, or when a
        customer writes, the endpoint gets a signed request within a second. Your program doesn’t have to
        poll.
      </p>
      <Group justify="center" mt="sm">
        <Button onClick={onCreate}>Add an endpoint</Button>
        <Anchor inherit underline="always" href="/docs/webhooks">
          How webhooks work
        </Anchor>
      </Group>
    </Empty>
  );
}
