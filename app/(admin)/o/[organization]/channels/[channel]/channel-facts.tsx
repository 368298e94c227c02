"use client";

import { Text } from "@mantine/core";
import { Fact, Facts, IdFact } from "@/app/ui/facts";
import { Section } from "@/app/ui/section";
import { Time } from "@/app/ui/time";
import { InlineLink } from "../../shared/inline-link";
import { useMay } from "../../shared/viewer";
import type { ChannelDetail } from "../types";

/** Shows everything known about a channel except its secrets. */
export function ChannelFacts({ of: channel }: { of: ChannelDetail }) {
  return (
    <Section title="Details">
      <Facts>
        <Fact name="Number">{channel.displayPhoneNumber}</Fact>
        <Fact name="Provider">
          {channel.upstream === "meta"
            ? "Meta’s WhatsApp Cloud API"
            : "simulator: nothing leaves this machine"}
        </Fact>
        <Fact name="Default">{channel.isDefault ? "yes: used for messages without a channel" : "no"}</Fact>
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
        <IdFact name="Channel ID" value={channel.id} />
      </Facts>
    </Section>
  );
}

function Templates({ of: { id, templatesSyncedAt, templatesFailure } }: { of: ChannelDetail }) {
  return (
    <>
      <InlineLink to={`/templates?channel=${id}`}>View templates</InlineLink>
      {templatesSyncedAt === null ? (
        ", not read yet"
      ) : (
        <>
          , read <Time at={templatesSyncedAt} />
        </>
      )}
      {templatesFailure === null ? null : (
        <Text size="sm" c="var(--mantine-color-error)">
          The last attempt to read them failed: {templatesFailure}
        </Text>
      )}
    </>
  );
}

function Messages({ channelId }: { channelId: string }) {
  if (!useMay()("messages.read")) return null;
  return (
    <Fact name="Messages">
      <InlineLink to={`/messages?channel=${channelId}`}>All messages</InlineLink> ·{" "}
      <InlineLink to={`/messages?channel=${channelId}&state=failed`}>Failed messages</InlineLink>
    </Fact>
  );
}
