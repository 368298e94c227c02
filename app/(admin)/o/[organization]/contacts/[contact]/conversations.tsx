"use client";

import { Anchor, Group, Text } from "@mantine/core";
import { type Column, DataTable, WholeTime } from "@/app/ui/data-table";
import { PageLink } from "@/app/ui/page-link";
import { Empty } from "@/app/ui/query-state";
import { Section } from "@/app/ui/section";
import { Tag } from "@/app/ui/tag";
import { usePath } from "../../shared/viewer";
import { Window } from "../contacts";
import type { ContactDetail } from "../types";

/** A contact's conversations, one per channel, with what can be sent in each. */
export function Conversations({ of: { conversations, erasedAt } }: { of: ContactDetail }) {
  const isErased = erasedAt !== null;
  return (
    <Section
      title="Conversations"
      lead={
        isErased
          ? "The content of these messages is erased. Their delivery status is kept."
          : "You can send any message for 24 hours after the customer writes. After that, you can send only approved templates."
      }
    >
      {conversations.length === 0 ? (
        <Empty title="No conversations">There are no messages with this contact.</Empty>
      ) : (
        <DataTable
          caption="Conversations of the contact, by channel"
          columns={isErased ? COLUMNS_OF_ERASED : COLUMNS}
          rows={conversations}
          rowKey={({ id }) => id}
        />
      )}
    </Section>
  );
}

type Conversation = ContactDetail["conversations"][number];

const COLUMNS: Column<Conversation>[] = [
  // A click in the row opens its first link.
  { head: "Conversation", cell: (conversation) => <ToConversation of={conversation} /> },
  { head: "Window", cell: (conversation) => <ConversationWindow of={conversation} /> },
  {
    head: "Last customer message",
    cell: ({ lastWroteAt }) => (lastWroteAt === null ? "never" : <WholeTime at={lastWroteAt} isExact />),
  },
  { head: "Messages", cell: ({ id, channel }) => <ToMessages threadId={id} channelName={channel.name} /> },
];

/** An erased contact can't be written to any more. */
const COLUMNS_OF_ERASED = COLUMNS.filter(({ head }) => head !== "Window");

/** A contact has one conversation on each channel, so the channel's name is the conversation's too. */
function ToConversation({ of: { id, channel } }: { of: Conversation }) {
  const { name, isDisabled, isPaused } = channel;
  const path = usePath();
  return (
    <Group gap="xs">
      <Anchor
        inherit
        component={PageLink}
        href={path(`/conversations/${id}`)}
        aria-label={`Conversation on ${name}`}
      >
        {name}
      </Anchor>
      {isDisabled ? <Tag tone="neutral">disabled</Tag> : null}
      {isPaused ? <Tag tone="warn">paused</Tag> : null}
    </Group>
  );
}

function ConversationWindow({ of: { windowOpenUntil, isWindowAssumed } }: { of: Conversation }) {
  return (
    <>
      <Window openUntil={windowOpenUntil} />
      {isWindowAssumed ? (
        <Text c="dimmed" size="sm" maw="18rem">
          Assumed: the number was already in use, so the customer may have written recently.
        </Text>
      ) : null}
    </>
  );
}

function ToMessages({ threadId, channelName }: { threadId: string; channelName: string }) {
  const path = usePath();
  const query = new URLSearchParams({ q: threadId }).toString();
  return (
    <Anchor
      inherit
      component={PageLink}
      href={path(`/messages?${query}`)}
      aria-label={`Messages on ${channelName}`}
    >
      Messages
    </Anchor>
  );
}
