import { ActionIcon, Menu, VisuallyHidden } from "@mantine/core";
import { IconAlertTriangle, IconCheck, IconChecks, IconDots } from "@/app/ui/icons";
import { Fault } from "@/app/ui/query-state";
import { ClockTime } from "@/app/ui/time";
import { useActionWith } from "@/app/ui/use-action";
import { EMOJI } from "../../../shared/emoji";
import { BubbleActions, BubbleParts } from "./bubble-parts";
import styles from "./phone.module.css";
import { type CustomerAction, type PhoneMessage, useCustomerAction } from "./use-phone";

/** One message as a bubble, with its quote, ticks and reactions, and a menu of what the customer can do with it. */
export function Message({
  message,
  quoted,
  onQuote,
}: {
  message: PhoneMessage;
  /** Unknown: the quoted message isn’t on the phone any more. */
  quoted: PhoneMessage | "unknown" | null;
  /** Null if the viewer may not act. */
  onQuote: ((message: PhoneMessage) => void) | null;
}) {
  const { from, state, bubble, reactions, type } = message;
  const act = useActionWith(useCustomerAction());
  const onAct = onQuote === null ? null : act.run;
  const shownReactions = [reactions.business, reactions.customer].filter((emoji) => emoji !== null);
  return (
    <>
      <div className={styles.line}>
        <article
          className={styles.bubble}
          data-state={state}
          data-sticker={type === "sticker" || undefined}
          aria-label={from === "business" ? "Message from the business" : "Message from the customer"}
        >
          {quoted === null ? null : <Quote of={quoted} />}
          <div className={styles.content}>
            <BubbleParts bubble={bubble} message={message} onAct={onAct} />
            <Foot message={message} />
          </div>
          <BubbleActions bubble={bubble} message={message} onAct={onAct} />
          {shownReactions.length === 0 ? null : (
            <span className={styles.reactions}>
              <VisuallyHidden>Reactions: </VisuallyHidden>
              {shownReactions.join(" ")}
            </span>
          )}
        </article>
        {onQuote === null ? null : (
          <MessageMenu message={message} onQuote={() => onQuote(message)} onAct={act.run} />
        )}
      </div>
      <Fault of={act.faultBeside()} />
    </>
  );
}

function MessageMenu({
  message: { id, reactions, from },
  onQuote,
  onAct,
}: {
  message: PhoneMessage;
  onQuote: () => void;
  onAct: (act: CustomerAction) => void;
}) {
  return (
    <Menu position={from === "business" ? "bottom-start" : "bottom-end"} width={200}>
      <Menu.Target>
        <ActionIcon className={styles.more} variant="subtle" color="gray" aria-label="React or quote">
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={onQuote}>Quote</Menu.Item>
        {reactions.customer === null ? null : (
          <Menu.Item onClick={() => onAct({ kind: "reaction", wamid: id, emoji: "" })}>
            Take {reactions.customer} back
          </Menu.Item>
        )}
        <Menu.Label>React</Menu.Label>
        <div className={styles.emojis}>
          {EMOJI.map(([emoji, name]) => (
            <Menu.Item
              key={emoji}
              aria-label={`React: ${name}`}
              onClick={() => onAct({ kind: "reaction", wamid: id, emoji })}
            >
              {emoji}
            </Menu.Item>
          ))}
        </div>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Shows the quoted message in a few words. */
export function Quote({ of: quoted }: { of: PhoneMessage | "unknown" }) {
  return (
    <blockquote className={styles.quote} dir="auto">
      {quoted === "unknown" ? "A message that isn’t here any more" : summaryOf(quoted)}
    </blockquote>
  );
}

/** Returns what a message says, or its kind. */
function summaryOf({ bubble, type }: PhoneMessage): string {
  const { text, header, media, location, contacts } = bubble;
  const [contact] = contacts ?? [];
  if (text !== undefined && text !== "") return text;
  return header ?? media?.filename ?? location?.name ?? contact?.name ?? `(${type})`;
}

/** Shows the time and the ticks. */
function Foot({ message: { at, state, from, error } }: { message: PhoneMessage }) {
  const words = from === "business" ? BUSINESS_WORDS[state] : CUSTOMER_WORDS[state];
  return (
    <div className={styles.foot}>
      {error === null ? null : (
        <span className={styles.failure}>
          Not delivered: {error.title} ({error.code})
        </span>
      )}
      <ClockTime at={at} />
      <span className={styles.ticks} data-state={state}>
        <Ticks state={state} />
        {from === "business" && state !== "failed" ? (
          <span>{words}</span>
        ) : (
          <VisuallyHidden>{words}</VisuallyHidden>
        )}
      </span>
    </div>
  );
}

/** The customer would not see a message that is on its way. It is shown so that the newcomer sees what happens. */
const BUSINESS_WORDS = {
  sent: "on its way",
  accepted: "on its way",
  delivered: "unread",
  read: "read",
  failed: "failed",
} as const;

const CUSTOMER_WORDS = {
  sent: "sent",
  accepted: "sent",
  delivered: "delivered",
  read: "read by the business",
  failed: "failed",
} as const;

function Ticks({ state }: { state: PhoneMessage["state"] }) {
  if (state === "failed") return <IconAlertTriangle size={14} aria-hidden />;
  const Icon = state === "delivered" || state === "read" ? IconChecks : IconCheck;
  return <Icon size={15} aria-hidden />;
}
