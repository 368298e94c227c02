"use client";

import { Anchor, Button, Group, Stack, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { type Column, Whole } from "@/app/ui/data-table";
import { IconPlus } from "@/app/ui/icons";
import { MoreButton } from "@/app/ui/more-button";
import { Page } from "@/app/ui/admin-page";
import { SortableTable } from "@/app/ui/sortable-table";
import { PageLink } from "@/app/ui/page-link";
import { Empty, QueryState } from "@/app/ui/query-state";
import { Tag } from "@/app/ui/tag";
import { Time } from "@/app/ui/time";
import { useTRPC } from "@/app/ui/trpc";
import { useWasOpen } from "@/app/ui/use-was-open";
import { useMay, usePath } from "../shared/viewer";
import { ChannelTags } from "./channel-tags";
import type { Channel, Silence } from "./types";
import { useSilences } from "./use-silences";

const ConnectNumber = dynamic(() => import("./connect-number").then((module) => module.ConnectNumber));

/** States change on their own. */
const REFRESH_MS = 5_000;

interface Row {
  readonly channel: Channel;
  readonly silence: Silence | undefined;
}

const COLUMNS: Column<Row>[] = [
  { head: "Channel", sortBy: ({ channel }) => channel.name, cell: ({ channel }) => <Name of={channel} /> },
  {
    head: "Number",
    sortBy: ({ channel }) => channel.displayPhoneNumber,
    cell: ({ channel }) => <Whole>{channel.displayPhoneNumber}</Whole>,
  },
  { head: "State", sortBy: ({ channel }) => channel.state, cell: (row) => <State of={row} /> },
  {
    head: "Latest callback",
    sortBy: ({ channel: { lastCallbackAt } }) => lastCallbackAt,
    cell: ({ channel: { lastCallbackAt } }) => (
      <Whole>{lastCallbackAt === null ? "none yet" : <Time at={lastCallbackAt} />}</Whole>
    ),
  },
];

function Name({ of: { id, name } }: { of: Channel }) {
  const path = usePath();
  return (
    <Anchor inherit component={PageLink} href={path(`/channels/${id}`)}>
      {name}
    </Anchor>
  );
}

function State({ of: { channel, silence } }: { of: Row }) {
  return (
    <Stack gap={4} align="flex-start">
      <Group gap={4}>
        <ChannelTags of={channel} />
        {silence?.isSilent ? <Tag tone="warn">no status updates</Tag> : null}
      </Group>
      {channel.pause === null ? null : (
        <Text size="sm" maw="24rem">
          {channel.pause.message ?? channel.pause.reason}
        </Text>
      )}
      {silence === undefined ? null : (
        <Text size="sm" maw="24rem">
          {silence.waiting} sent, without a status update for ten minutes or more
        </Text>
      )}
    </Stack>
  );
}

export function Channels() {
  const [dialog, setDialog] = useQueryState("dialog", parseAsStringLiteral(["connect"]));
  const mayManage = useMay()("channels.manage");
  const isOpen = mayManage && dialog === "connect";
  const wasOpen = useWasOpen(isOpen);
  const connect = () => void setDialog("connect", { history: "push" });
  return (
    <Page
      title="Channels"
      lead="The WhatsApp numbers that send your messages. A paused channel shows why it is paused and what to do."
      actions={
        mayManage ? (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={connect}>
            Connect a number
          </Button>
        ) : null
      }
    >
      <List onConnect={mayManage ? connect : null} />
      {wasOpen ? <ConnectNumber isOpen={isOpen} onClose={() => void setDialog(null)} /> : null}
    </Page>
  );
}

function List({ onConnect }: { onConnect: (() => void) | null }) {
  const trpc = useTRPC();
  const silences = useSilences();
  const query = useInfiniteQuery({
    ...trpc.channels.survey.infiniteQueryOptions({}, { getNextPageParam: ({ next_cursor: next }) => next }),
    refetchInterval: REFRESH_MS,
  });
  return (
    <QueryState query={query}>
      {({ pages }) => {
        const channels = pages.flatMap(({ data }) => data);
        if (channels.length === 0) return <NoChannels onConnect={onConnect} />;
        return (
          <>
            <SortableTable
              isComplete={!query.hasNextPage}
              caption="Channels, oldest first"
              columns={COLUMNS}
              rows={channels.map((channel) => ({ channel, silence: silences.get(channel.id) }))}
              rowKey={({ channel }) => channel.id}
              isMuted={({ channel }) => channel.state === "disabled"}
            />
            <MoreButton query={query} />
          </>
        );
      }}
    </QueryState>
  );
}

function NoChannels({ onConnect }: { onConnect: (() => void) | null }) {
  return (
    <Empty title="No channels yet">
      <p>You need a connected number to send messages.</p>
      {onConnect === null ? (
        <p>Ask an owner or admin to connect a number.</p>
      ) : (
        <Button mt="sm" onClick={onConnect}>
          Connect a number
        </Button>
      )}
    </Empty>
  );
}
