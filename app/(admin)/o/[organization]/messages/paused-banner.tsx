"use client";

import { Alert, Stack, Text } from "@mantine/core";
import { Time } from "@/app/ui/time";
import { InlineLink } from "../shared/inline-link";
import { type PausedChannel, usePausedChannels } from "../shared/use-paused-channels";

/** A longer list would push the messages out of view. */
const SHOWN_MAX = 3;

/** Explains why intact messages wait: their channel is paused. Screen readers announce it. */
export function PausedBanner() {
  const paused = usePausedChannels();
  const more = paused.length - SHOWN_MAX;
  return (
    <Stack gap="xs" mb={paused.length === 0 ? 0 : "lg"} aria-live="polite">
      {paused.slice(0, SHOWN_MAX).map((channel) => (
        <OnePaused key={channel.id} of={channel} />
      ))}
      {more <= 0 ? null : (
        <Text size="sm">
          {more} more {more === 1 ? "channel is" : "channels are"} paused. See{" "}
          <InlineLink to="/channels">all channels</InlineLink>.
        </Text>
      )}
    </Stack>
  );
}

function OnePaused({ of: { id, name, pause, waiting, isWaitingCut } }: { of: PausedChannel }) {
  return (
    <Alert color="red" variant="light" title={`${name} is paused: ${pause.message ?? pause.reason}`}>
      <Text size="sm">
        Since <Time at={pause.since} />. {waitingWords(waiting, isWaitingCut)}{" "}
        <InlineLink to={`/channels/${id}`}>See what to do</InlineLink>
      </Text>
    </Alert>
  );
}

function waitingWords(waiting: number, isCut: boolean): string {
  if (waiting === 0) return "No messages are waiting. New messages are accepted and wait.";
  if (waiting === 1)
    return "1 message is waiting. It is sent when the channel is active again. It fails after twelve hours.";
  const count = `${waiting.toLocaleString("en")}${isCut ? " or more" : ""}`;
  return `${count} messages are waiting. They are sent when the channel is active again. A message fails after twelve hours.`;
}
