"use client";

import { Group, Text } from "@mantine/core";
import { CopyIcon } from "@/app/ui/copy";
import { Fact, Facts, IdFact } from "@/app/ui/facts";
import { Section } from "@/app/ui/section";
import { Time } from "@/app/ui/time";
import { ChannelNames } from "../../shared/channels-field";
import { InlineLink } from "../../shared/inline-link";
import { nameOf } from "../names";
import { withoutQuery } from "../shown-url";
import type { EndpointDetail } from "../types";
import { eventsInWords } from "../words";
import { manyInWords } from "./how-many";

/** Shows everything known about an endpoint except its secrets. */
export function EndpointFacts({ of: endpoint }: { of: EndpointDetail }) {
  const { id, url, description, waiting, created_at: createdAt, channel_ids: channelIds } = endpoint;
  return (
    <Section title="Details">
      <Facts>
        {description === "" || description === nameOf(endpoint) ? null : (
          <Fact name="Description">{description}</Fact>
        )}
        <Fact name="URL">
          {url === null ? (
            "none: your program fetches events, which are kept for seven days"
          ) : (
            <Url of={url} />
          )}
        </Fact>
        <Fact name="Events">{eventsInWords(endpoint.events)}</Fact>
        <Fact name="Channels">
          {channelIds === null ? "all, including future ones" : <ChannelNames ids={channelIds} />}
        </Fact>
        {url === null ? null : (
          <Fact name="Pending">
            {waiting.count === 0 ? (
              "none"
            ) : (
              <InlineLink to={`/webhooks/${id}?state=pending`}>{manyInWords(waiting)}</InlineLink>
            )}
          </Fact>
        )}
        <Fact name="Added">
          <Time at={createdAt} isExact />
        </Fact>
        <IdFact name="ID" value={id} />
      </Facts>
    </Section>
  );
}

function Url({ of: url }: { of: string }) {
  return (
    <Group gap={4} wrap="nowrap" align="flex-start">
      <Text span inherit style={{ overflowWrap: "anywhere", minWidth: 0 }}>
        {withoutQuery(url)}
      </Text>
      <CopyIcon value={url} what="the URL" />
    </Group>
  );
}
