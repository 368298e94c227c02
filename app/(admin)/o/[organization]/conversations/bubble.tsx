import { Anchor, VisuallyHidden } from "@mantine/core";
import { useTRPC, useTRPCClient } from "@/app/ui/trpc";
import { useRefetch } from "@/app/ui/use-refetch";
import { newIdempotencyToken } from "@/app/ui/idempotency-token";
import { useActionWith } from "@/app/ui/use-action";
import { Fault } from "@/app/ui/query-state";
import { Words } from "@/app/ui/words";
import { ClockTime } from "@/app/ui/time";
import { customerName } from "../shared/customer-name";
import { senderName } from "../messages/columns";
import styles from "./bubble.module.css";
import { BubbleContent } from "./bubble-content";
import { BubbleMenu } from "./bubble-menu";
import { QuoteLine, toQuotedMessage } from "./quote";
import { Ticks } from "./ticks";
import type { Conversation, MessageEntry } from "./types";
import { elementIdOf } from "./use-jump";
import { shownTimeOf } from "./words";

/** Characters. */
const LABEL_LENGTH_MAX = 60;

interface Props {
  readonly entry: MessageEntry;
  readonly conversation: Conversation;
  /** Somebody has just jumped here. */
  readonly isFound: boolean;
  readonly onJump: (id: string) => void;
  /** Null if the viewer may not answer. */
  readonly onReply: ((entry: MessageEntry) => void) | null;
  readonly onDetails: (entry: MessageEntry) => void;
}

/** One message: its content, sender and delivery status, and for a failure the reason and what to do. */
export function Bubble({ entry, conversation, isFound, onJump, onReply, onDetails }: Props) {
  const { message, aftermath, explanation } = entry;
  const react = useReact(conversation.id, entry.id);
  const isFailed = message.delivery_state === "failed";
  return (
    <li
      id={elementIdOf(entry.id)}
      tabIndex={-1}
      className={styles.entry}
      data-side={message.direction}
      data-failed={isFailed || undefined}
      data-found={isFound || undefined}
    >
      <div className={styles.stack}>
        <div className={styles.bubble}>
          <VisuallyHidden>
            {message.direction === "inbound" ? `${customerName(conversation.customer)}: ` : "You: "}
          </VisuallyHidden>
          <QuoteLine entry={entry} conversation={conversation} onJump={onJump} />
          <div className={styles.content}>
            <BubbleContent entry={entry} />
            <Meta entry={entry} />
          </div>
        </div>
        {aftermath.reactions.length === 0 ? null : (
          <div className={styles.reactions}>
            {aftermath.reactions.map(({ by, emoji, memberName }) => (
              <span key={by} className={styles.reaction}>
                {emoji}
                <VisuallyHidden>
                  {" "}
                  {by === "customer" ? "from the customer" : `from ${memberName ?? "the API"}`}
                </VisuallyHidden>
              </span>
            ))}
          </div>
        )}
        {explanation === null ? null : (
          <p className={styles.why}>
            {isFailed ? <strong>Failed. </strong> : null}
            <Words>{explanation.whatHappened}</Words> <Words>{explanation.whatToDo}</Words>{" "}
            <Anchor
              component="button"
              type="button"
              inherit
              underline="always"
              onClick={() => onDetails(entry)}
            >
              {explanation.isResendable ? "Details and send again" : "Details"}
            </Anchor>
          </p>
        )}
        <Fault of={react.fault} />
      </div>
      <BubbleMenu
        entry={entry}
        line={toQuotedMessage(entry, conversation).line.slice(0, LABEL_LENGTH_MAX)}
        onReply={onReply === null ? null : () => onReply(entry)}
        onReact={onReply === null || message.content === null ? null : react.to}
        onDetails={() => onDetails(entry)}
      />
    </li>
  );
}

/** Sends a reaction; an empty emoji takes it back. */
function useReact(threadId: string, messageId: string) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const refetch = useRefetch();
  const act = useActionWith(async (emoji: string) => {
    const content = { type: "reaction", messageId, emoji } as const;
    await client.conversations.answer.mutate({ threadId, idempotencyToken: newIdempotencyToken(), content });
    await refetch(trpc.conversations.timeline.pathFilter());
  });
  return { fault: act.faultBeside(), to: act.run };
}

function Meta({ entry }: { entry: MessageEntry }) {
  const { message, sender, aftermath, isInDoubt, webhooks } = entry;
  return (
    <div className={styles.meta}>
      {webhooks.failed > 0 ? <span>webhook failed ·</span> : null}
      {aftermath.deletedAt !== null ? (
        <span>deleted by the customer ·</span>
      ) : aftermath.edit === null ? null : (
        <span>changed ·</span>
      )}
      {sender === null ? null : <span>{senderName(sender)} ·</span>}
      <ClockTime at={shownTimeOf(entry)} />
      {message.delivery_state === null ? null : (
        <Ticks state={message.delivery_state} isInDoubt={isInDoubt} />
      )}
    </div>
  );
}
