import { ActionIcon, Group, Text } from "@mantine/core";
import { IconX } from "@/app/ui/icons";
import { InlineLink } from "../shared/inline-link";
import bubbleStyles from "./bubble.module.css";
import styles from "./composer.module.css";
import { saidIn } from "./said";
import type { Conversation, MessageEntry } from "./types";
import type { Mode } from "./use-draft";
import { customerName, lineOf } from "./words";

/** Says what can be sent, and why. */
export function Why({
  conversation,
  mode,
  isOpen,
}: {
  conversation: Conversation;
  mode: Mode;
  isOpen: boolean;
}) {
  const { customer, channel, continuedIn, isWindowAssumed, isWindowDenied } = conversation;
  if (customer.isErased) return <Reason>The customer was erased, so nothing can be sent.</Reason>;
  if (channel.isDisabled) return <Reason>The channel is disabled, so nothing can be sent.</Reason>;
  if (mode === "note") return <Reason>Only members see a note. It is never sent.</Reason>;
  return (
    <Reason>
      {isOpen
        ? `Any message can be sent: the window is open.${isWindowAssumed ? " It is assumed, because the number was already in use." : ""}`
        : isWindowDenied
          ? "WhatsApp reports that the window is closed. Only approved templates can be sent."
          : "The customer hasn’t written in the last 24 hours. Only approved templates can be sent."}
      {channel.isPaused ? " The channel is paused: messages wait until it works again." : ""}
      {continuedIn === null ? null : (
        <>
          {" "}
          New messages go to{" "}
          <InlineLink to={`/conversations/${continuedIn}`}>this person’s other conversation</InlineLink>.
        </>
      )}
    </Reason>
  );
}

function Reason({ children }: { children: React.ReactNode }) {
  return (
    <Text size="xs" c="dimmed" component="p" className={styles.why}>
      {children}
    </Text>
  );
}

/** The message that the answer quotes. */
export function Quoted({
  of: { message, template },
  conversation: { customer },
  onUnquote,
}: {
  of: MessageEntry;
  conversation: Conversation;
  onUnquote: () => void;
}) {
  const said = message.content === null ? null : saidIn(message.type, { ...message.content });
  const words =
    said?.kind === "text"
      ? said.text
      : (template?.name ??
        lineOf({ type: message.type, preview: said?.kind === "file" ? said.caption : null }));
  return (
    <Group gap="xs" wrap="nowrap">
      <div className={bubbleStyles.quote} style={{ marginBottom: 0 }}>
        <span className={bubbleStyles.quoteOf}>
          Reply to {message.direction === "inbound" ? customerName(customer) : "your message"}
        </span>
        <span className={bubbleStyles.quoteWords} dir="auto">
          {words}
        </span>
      </div>
      <ActionIcon variant="subtle" color="gray" aria-label="Don’t quote" onClick={onUnquote}>
        <IconX size={16} aria-hidden />
      </ActionIcon>
    </Group>
  );
}
