import { Text } from "@mantine/core";
import { InlineLink } from "../shared/inline-link";
import styles from "./composer.module.css";
import type { Conversation } from "./types";
import type { Mode } from "./use-draft";
import { useUnreachableUntil } from "./use-open-modes";

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
  const { customer, channel, continuedIn } = conversation;
  const isUnreachable = useUnreachableUntil(conversation) !== null;
  if (customer.isErased) return <Reason>The customer was erased, so nothing can be sent.</Reason>;
  if (mode === "note") return <Reason>Only members see a note. It is never sent.</Reason>;
  // The notices say why nothing can be sent.
  if (channel.isDisabled || (isUnreachable && (isOpen || mode === "template"))) return null;
  return (
    <Reason>
      {isOpen ? openWords(conversation) : closedWords(conversation, mode)}
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

function openWords({ isWindowAssumed }: Conversation): string {
  const words = "The window is open: texts, files and templates can be sent.";
  return isWindowAssumed ? `${words} It is assumed, because the number was already in use.` : words;
}

function closedWords({ isWindowDenied }: Conversation, mode: Mode): string {
  const why = isWindowDenied
    ? "WhatsApp reports that the window is closed."
    : "The customer hasn’t written in the last 24 hours.";
  return mode === "text"
    ? `${why} What you have typed stays here: send an approved template, or wait until the customer writes.`
    : `${why} Only approved templates can be sent.`;
}

function Reason({ children }: { children: React.ReactNode }) {
  return (
    <Text size="xs" c="dimmed" component="p" className={styles.why}>
      {children}
    </Text>
  );
}
