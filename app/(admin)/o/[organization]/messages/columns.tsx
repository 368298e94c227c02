import { Anchor, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { type Column, Cut, Line, Whole, WholeTime } from "@/app/ui/data-table";
import { PageLink } from "@/app/ui/page-link";
import { useListPath } from "../shared/viewer";
import { type MessageRow, StateTag } from "../shared/message-state";

export const COLUMNS: Column<MessageRow>[] = [
  { head: "Message", share: 35, cell: (row) => <What of={row} /> },
  { head: "State", share: 22, cell: (row) => <State of={row} /> },
  {
    head: "To",
    share: 19,
    cell: ({ recipient, contact }) => <Recipient number={recipient} name={contact.name} />,
  },
  { head: "Channel", cell: ({ channel }) => <Whole>{channel.name ?? channel.id}</Whole> },
  { head: "Sent by", cell: ({ sender }) => <Whole>{senderName(sender)}</Whole> },
  { head: "Accepted", cell: ({ createdAt }) => <WholeTime at={createdAt} /> },
];

const TYPE_WORDS: Readonly<Record<string, string>> = {
  image: "Image",
  audio: "Audio",
  video: "Video",
  document: "Document",
  template: "Template",
  text: "Text",
};

function What({ of: { id, clientMessageId, preview, type, erasedAt } }: { of: MessageRow }) {
  const path = useListPath();
  const words = erasedAt === null ? (preview ?? TYPE_WORDS[type] ?? type) : "Erased";
  const href = path(`/messages/${id}`);
  return (
    <LinkAndId clientMessageId={clientMessageId} href={href} scroll={false}>
      {words}
    </LinkAndId>
  );
}

/**
 * A link with the caller's own id of the message, if there is one. `scroll` is Next's: whether following the link scrolls
 * to the top.
 */
export function LinkAndId(props: {
  clientMessageId: string | null;
  href: string;
  scroll?: boolean;
  children: ReactNode;
}) {
  const { clientMessageId, href, scroll = true, children } = props;
  return (
    <Line>
      <Cut>
        <Anchor inherit component={PageLink} href={href} scroll={scroll}>
          {children}
        </Anchor>
      </Cut>
      {clientMessageId === null ? null : (
        <Cut isDimmed isCode>
          {clientMessageId}
        </Cut>
      )}
    </Line>
  );
}

function State({ of: { state, inDoubtSince, error, waitsForChannel, channel } }: { of: MessageRow }) {
  const why = error?.message ?? (waitsForChannel ? waitingWords(channel.isDisabled) : null);
  return (
    <TagAndReason reason={why}>
      <StateTag state={state} isInDoubt={inDoubtSince !== null} />
    </TagAndReason>
  );
}

export function TagAndReason({ reason, children }: { reason: string | null; children: ReactNode }) {
  return (
    <Stack gap={2} align="flex-start">
      {children}
      {reason === null ? null : (
        <Text span c="dimmed" fz="0.8125rem" lh={1.4} lineClamp={3} title={reason}>
          {reason}
        </Text>
      )}
    </Stack>
  );
}

const waitingWords = (isDisabled: boolean) =>
  `Waiting because the channel is ${isDisabled ? "disabled" : "paused"}`;

function Recipient({ number, name }: { number: string | null; name: string | null }) {
  if (name === null) return <Whole>{numberWords(number)}</Whole>;
  return (
    <Line>
      <Cut>{name}</Cut>
      <Text span c="dimmed" fz="0.8125rem">
        {numberWords(number)}
      </Text>
    </Line>
  );
}

/** Formats a number as people write it. Ids of people without a number stay unchanged. */
export function numberWords(number: string | null): string {
  if (number === null) return "erased";
  return /^\d+$/.test(number) ? `+${number}` : number;
}

export function senderName(sender: MessageRow["sender"]): string {
  if (sender.kind === "waypost") return "Waypost";
  return sender.name ?? (sender.kind === "key" ? "a key" : "a member");
}
