"use client";

import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { Time, useNow } from "@/app/ui/time";
import { useTRPCClient } from "@/app/ui/trpc";
import { Words } from "@/app/ui/words";
import { useMay } from "../../shared/viewer";
import type { ChannelDetail, Silence } from "../types";
import { useSilences } from "../use-silences";
import { ActionButton } from "./channel-action";

/** Says which action the channel's state needs. Screen readers announce it when it appears. */
export function ChannelNotices({
  of: channel,
  onReplaceToken,
}: {
  of: ChannelDetail;
  onReplaceToken: () => void;
}) {
  const silence = useSilences().get(channel.id);
  return (
    <Stack gap="sm" aria-live="polite">
      <Disabled of={channel} />
      <Paused of={channel} onReplaceToken={onReplaceToken} />
      {silence === undefined ? null : <Silent of={silence} />}
      <OpenWindows of={channel} />
    </Stack>
  );
}

function Disabled({ of: { id, name, disabledAt } }: { of: ChannelDetail }) {
  const client = useTRPCClient();
  const mayManage = useMay()("channels.manage");
  if (disabledAt === null) return null;
  return (
    <Alert color="gray" variant="light" title="This channel is disabled">
      <Stack gap="xs">
        <Text size="sm">
          Since <Time at={disabledAt} />. New messages on it are refused with channel_forbidden. Messages that
          were waiting stay in the queue.
        </Text>
        {mayManage ? (
          <Group>
            <ActionButton
              size="xs"
              label="Enable channel"
              done={`${name} was enabled.`}
              act={() => client.channels.enable.mutate({ channelId: id })}
            />
          </Group>
        ) : null}
      </Stack>
    </Alert>
  );
}

/** Pauses that a different access token can end. */
const OF_THE_TOKEN: readonly string[] = ["credentials_invalid", "permission_missing"];

function Paused({
  of: { id, name, upstream, pause },
  onReplaceToken,
}: {
  of: ChannelDetail;
  onReplaceToken: () => void;
}) {
  const client = useTRPCClient();
  const mayManage = useMay()("channels.manage");
  if (pause === null) return null;
  const isOfToken = upstream === "meta" && OF_THE_TOKEN.includes(pause.reason);
  return (
    <Alert color="red" variant="light" title={`This channel is paused: ${pause.message ?? pause.reason}`}>
      <Stack gap="xs">
        <Text size="sm">
          Since <Time at={pause.since} />. New messages are accepted and wait until the channel resumes.
        </Text>
        {pause.remedy === null ? null : (
          <Text size="sm">
            <Words>{pause.remedy}</Words>
            {mayManage ? null : " An owner or admin of the organization can do this."}
          </Text>
        )}
        {pause.upstreamWords === null ? null : (
          <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
            WhatsApp says: {pause.upstreamCode === null ? null : `(#${pause.upstreamCode}) `}
            {pause.upstreamWords}
          </Text>
        )}
        {mayManage ? (
          <Group gap="xs">
            {isOfToken ? (
              <Button size="xs" onClick={onReplaceToken}>
                Replace access token
              </Button>
            ) : null}
            <ActionButton
              size="xs"
              label="Resume"
              done={`${name} sends again. If the problem still exists, the next message pauses it again.`}
              act={() => client.channels.resume.mutate({ channelId: id })}
            />
          </Group>
        ) : null}
      </Stack>
    </Alert>
  );
}

function Silent({ of: { waiting, handedOver, isSilent, since, remedy } }: { of: Silence }) {
  return (
    <Alert
      color="yellow"
      variant="light"
      title={isSilent ? "Sent messages get no status updates" : "Some sent messages have no status update"}
    >
      <Stack gap="xs">
        <Text size="sm">
          {waiting} of the last {handedOver} sent messages have had no status update for ten minutes or more
          {since === null ? null : (
            <>
              . The oldest was sent <Time at={since} />
            </>
          )}
          .
        </Text>
        <Text size="sm">
          <Words>{remedy}</Words>
        </Text>
      </Stack>
    </Alert>
  );
}

function OpenWindows({ of: { unknownWindowOpenUntil: until } }: { of: ChannelDetail }) {
  const now = useNow();
  if (until === null || new Date(until).getTime() < now) return null;
  return (
    <Alert color="gray" variant="light" title="This number was already in use">
      <Text size="sm">
        Waypost treats the customer service window as open for customers who never wrote here. This ends{" "}
        <Time at={until} />.
      </Text>
    </Alert>
  );
}
