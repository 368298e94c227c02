import { Text } from "@mantine/core";
import { InlineLink } from "../shared/inline-link";
import styles from "./composer.module.css";
import type { Conversation } from "./types";
import type { Mode } from "./use-draft";

/** Says what can be sent, and why. */
export function WindowNotice({
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
        ? `The window is open: texts, files and templates can be sent.${isWindowAssumed ? " It is assumed, because the number was already in use." : ""}`
        : isWindowDenied
          ? "WhatsApp reports that the window is closed. Only approved templates can be sent."
          : "The customer hasn’t written in the last 24 hours. Only approved templates can be sent."}
      {customer.marketingOptedOutAt === null
        ? ""
        : " The customer opted out of marketing: marketing templates are refused."}
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
