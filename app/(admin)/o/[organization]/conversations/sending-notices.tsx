import { Alert, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { DatedClockTime } from "@/app/ui/time";
import { InlineLink } from "../shared/inline-link";
import { usePausedChannels } from "../shared/use-paused-channels";
import styles from "./composer.module.css";
import type { Conversation } from "./types";
import type { Mode } from "./use-draft";
import { useUnreachableUntil } from "./use-open-modes";

interface Props {
  readonly conversation: Conversation;
  readonly mode: Mode;
  /** The chosen template is for marketing. */
  readonly isMarketing: boolean;
}

/** Says before somebody writes why a message wouldn't arrive, and what helps. Screen readers announce it. */
export function SendingNotices({ conversation, mode, isMarketing }: Props) {
  const { customer, channel } = conversation;
  const until = useUnreachableUntil(conversation);
  const isSending = mode !== "note" && !customer.isErased;
  return (
    <div className={styles.notices} aria-live="polite">
      {channel.isDisabled && !customer.isErased ? (
        <Notice title="The channel is disabled: nothing can be sent">
          An admin can enable it on <InlineLink to={`/channels/${channel.id}`}>its page</InlineLink>.
        </Notice>
      ) : null}
      {isSending && channel.isPaused && !channel.isDisabled ? <Paused channelId={channel.id} /> : null}
      {isSending && until !== null ? (
        <Notice title="This customer can’t be reached on WhatsApp">
          WhatsApp couldn’t deliver a message to this number, which may not be on WhatsApp. Messages are
          refused until <DatedClockTime at={until} />, or until the customer writes. Check the number, or
          contact the customer in another way.
        </Notice>
      ) : null}
      {isSending && customer.marketingOptedOutAt !== null && mode === "template" ? (
        <Notice title="The customer opted out of marketing" isLight={!isMarketing}>
          {isMarketing
            ? "This template is for marketing, so it is refused. Choose one that isn’t."
            : "Marketing templates are refused. Other templates still reach the customer."}
        </Notice>
      ) : null}
    </div>
  );
}

function Paused({ channelId }: { channelId: string }) {
  const pause = usePausedChannels().find(({ id }) => id === channelId)?.pause;
  return (
    <Notice title={`The channel is paused${pause?.message ? `: ${pause.message}` : ""}`}>
      Messages are accepted, and sent when the channel is active again. They fail after twelve hours.{" "}
      <InlineLink to={`/channels/${channelId}`}>See what to do</InlineLink>
    </Notice>
  );
}

function Notice({
  title,
  isLight = false,
  children,
}: {
  title: string;
  /** Nothing is refused for it yet. */
  isLight?: boolean;
  children: ReactNode;
}) {
  return (
    <Alert
      // Not an error of the form, which would get the focus.
      role="note"
      color={isLight ? "yellow" : "red"}
      variant="light"
      p="xs"
      classNames={{ body: styles.notice }}
      title={title}
    >
      <Text size="sm">{children}</Text>
    </Alert>
  );
}
