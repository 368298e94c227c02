import { ActionIcon, Group, VisuallyHidden } from "@mantine/core";
import { IconX } from "@/app/ui/icons";
import { customerName } from "../shared/customer-name";
import styles from "./bubble.module.css";
import { readContent } from "./message-content";
import type { Conversation, MessageEntry } from "./types";
import type { QuotedMessage } from "./use-draft";
import { lineOf } from "./words";

/** The message that this one answers. If it is in this conversation, a click goes there. */
export function QuoteLine({
  entry: { quote },
  conversation: { customer },
  onJump,
}: {
  entry: MessageEntry;
  conversation: Conversation;
  onJump: (id: string) => void;
}) {
  if (quote === null) return null;
  const { messageId, isHere } = quote;
  const of = quote.direction === "inbound" ? customerName(customer) : "You";
  const words =
    messageId === null ? (
      <span className={styles.quoteWords}>A message that Waypost doesn’t know</span>
    ) : (
      <>
        <span className={styles.quoteOf}>{of}</span>
        <span className={styles.quoteWords} dir="auto">
          {quote.isErased ? "Erased" : lineOf({ type: quote.type ?? "", preview: quote.preview })}
        </span>
      </>
    );
  if (messageId === null || !isHere) return <div className={styles.quote}>{words}</div>;
  return (
    <button type="button" className={styles.quote} onClick={() => onJump(messageId)}>
      <VisuallyHidden>Go to the quoted message: </VisuallyHidden>
      {words}
    </button>
  );
}

/** Returns what the box shows of a message that is to be quoted. */
export function toQuotedMessage(
  { id, message, template }: MessageEntry,
  { customer }: Conversation,
): QuotedMessage {
  const content = message.content === null ? null : readContent(message.type, { ...message.content });
  const preview = content?.kind === "file" ? content.caption : null;
  return {
    id,
    author: message.direction === "inbound" ? customerName(customer) : "your message",
    line:
      content?.kind === "text" ? content.text : (template?.name ?? lineOf({ type: message.type, preview })),
  };
}

/** The message that the answer will quote. */
export function QuotePreview({
  of: { author, line },
  onRemove,
}: {
  of: QuotedMessage;
  onRemove: () => void;
}) {
  return (
    <Group gap="xs" wrap="nowrap">
      <div className={styles.quote} style={{ marginBottom: 0 }}>
        <span className={styles.quoteOf}>Reply to {author}</span>
        <span className={styles.quoteWords} dir="auto">
          {line}
        </span>
      </div>
      <ActionIcon variant="subtle" color="gray" aria-label="Don’t quote" onClick={onRemove}>
        <IconX size={16} aria-hidden />
      </ActionIcon>
    </Group>
  );
}
