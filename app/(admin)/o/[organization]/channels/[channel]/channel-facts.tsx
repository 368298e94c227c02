"use client";

import { Text } from "@mantine/core";
import { Fact, Facts, IdFact } from "@/app/ui/facts";
import { Section } from "@/app/ui/section";
import { Time } from "@/app/ui/time";
import { InlineLink } from "../../shared/inline-link";
import { useMay } from "../../shared/viewer";
import type { ChannelDetail } from "../types";

/** All that is known of a channel, but its secrets. */
export function ChannelFacts({ of: channel }: { of: ChannelDetail }) {
  return (
    <Section title="Facts">
      <Facts>
        <Fact name="Number">{channel.displayPhoneNumber}</Fact>
        <Fact name="Carried by">
          {channel.upstream === "meta"
            ? "Meta’s WhatsApp Cloud API"
            : "the simulator: nothing leaves this machine"}
        </Fact>
        <Fact name="Default">{channel.isDefault ? "yes: used where a message names no channel" : "no"}</Fact>
        <Fact name="Latest callback">
          {channel.lastCallbackAt === null ? "none yet" : <Time at={channel.lastCallbackAt} isExact />}
        </Fact>
        <Fact name="Templates">
          <Templates of={channel} />
        </Fact>
        <Fact name="Connected">
          <Time at={channel.createdAt} isExact />
        </Fact>
        <Messages channelId={channel.id} />
        <IdFact name="Phone number ID" value={channel.phoneNumberId} />
        <IdFact name="Business account ID" value={channel.wabaId} />
        <IdFact name="Channel id" value={channel.id} />
      </Facts>
    </Section>
  );
}

function Templates({ of: { id, templatesSyncedAt, templatesFailure } }: { of: ChannelDetail }) {
  return (
    <>
      <InlineLink to={`/templates?channel=${id}`}>Its templates</InlineLink>
      {templatesSyncedAt === null ? (
        ", not read so far"
      ) : (
        <>
          , read <Time at={templatesSyncedAt} />
        </>
      )}
      {templatesFailure === null ? null : (
        <Text size="sm" c="var(--mantine-color-error)">
          The last time they couldn’t be read: {templatesFailure}
        </Text>
      )}
    </>
  );
}

function Messages({ channelId }: { channelId: string }) {
  if (!useMay()("messages.read")) return null;
  return (
    <Fact name="Messages">
      <InlineLink to={`/messages?channel=${channelId}`}>Its messages</InlineLink>, and{" "}
      <InlineLink to={`/messages?channel=${channelId}&state=failed`}>those that failed</InlineLink>
    </Fact>
  );
}
