"use client";

import { Alert, Stack } from "@mantine/core";
import { Fact, Facts, IdFact } from "@/app/ui/facts";
import { Time } from "@/app/ui/time";
import { Words } from "@/app/ui/words";
import { InlineLink } from "../shared/inline-link";
import { useMay } from "../shared/viewer";
import { numberWords, senderName } from "./columns";
import type { Inspection } from "./message-panel";

/** Shows everything known about a message except its timeline. */
export function MessageFacts({ message }: { message: Inspection }) {
  const { contact, channel, sender, recipient, pause, erasedAt } = message;
  const may = useMay();
  const refused = new URLSearchParams({ client: message.clientMessageId ?? "" }).toString();
  return (
    <Stack gap="sm">
      {pause === null ? null : (
        <Alert
          color="yellow"
          variant="light"
          title={`The channel is paused: ${pause.message ?? pause.reason}`}
        >
          {pause.remedy === null ? null : <Words>{pause.remedy}</Words>}
        </Alert>
      )}
      <Facts>
        <Fact name="To">{numberWords(recipient)}</Fact>
        <Fact name="Contact">
          <InlineLink to={`/contacts/${contact.id}`}>{contact.name ?? "no name"}</InlineLink>
        </Fact>
        <Fact name="Channel">
          <InlineLink to={`/channels/${channel.id}`}>{channel.name ?? channel.id}</InlineLink>
        </Fact>
        <Fact name="Sent by">
          {sender.kind === "key" && may("integrations.manage_api") ? (
            <InlineLink to={`/keys/${sender.id}`}>{senderName(sender)}</InlineLink>
          ) : (
            senderName(sender)
          )}
        </Fact>
        <Fact name="Accepted">
          <Time at={message.createdAt} isExact />
        </Fact>
        {erasedAt === null ? null : (
          <Fact name="Erased">
            <Time at={erasedAt} isExact />
          </Fact>
        )}
        <IdFact name="Message ID" value={message.id} />
        <IdFact name="client_message_id" value={message.clientMessageId} />
        <IdFact name="Request ID" value={message.requestId} />
        <IdFact name="wamid" value={message.upstreamId} />
        <IdFact name="Thread ID" value={message.threadId} />
        {message.clientMessageId === null ? null : (
          <Fact name="Refused earlier">
            <InlineLink to={`/requests?${refused}`}>Requests with the same client_message_id</InlineLink>
          </Fact>
        )}
      </Facts>
    </Stack>
  );
}
