import { Anchor, Text } from "@mantine/core";
import { useEffect, useRef } from "react";
import { PageLink } from "@/app/ui/page-link";
import { usePath } from "../../../shared/viewer";
import { Message } from "./message";
import styles from "./phone.module.css";
import { type PhoneMessage, type PhoneView, usePhoneName } from "./use-phone";

/** How far from its end the list may be to be kept there, in pixels. */
const NEAR_END_PX = 80;

/** All messages of the phone, and the business that is typing. Stays at its end, unless the reader scrolled up. */
export function Thread({
  view: { messages, is_cut: isCut, is_typing: isTyping },
  mayAct,
  onQuote,
}: {
  view: PhoneView;
  mayAct: boolean;
  onQuote: (message: PhoneMessage) => void;
}) {
  const list = useStayAtEnd();
  const byId = new Map(messages.map((message) => [message.id, message]));
  return (
    // The list scrolls, so people who use the keyboard must be able to focus it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div ref={list} className={styles.thread} role="log" aria-label="Messages" tabIndex={0}>
      <div>
        {isCut ? <Text className={styles.note}>Older messages aren’t shown here.</Text> : null}
        {messages.length === 0 ? (
          <Text className={styles.note}>
            No messages yet. Send one from the app, or write the first one here.
          </Text>
        ) : null}
        <ol className={styles.messages}>
          {messages.map((message) => (
            <li key={message.id} className={styles.row} data-from={message.from}>
              {message.from === "note" ? (
                <Note message={message} />
              ) : (
                <Message
                  message={message}
                  quoted={message.quotes === null ? null : (byId.get(message.quotes) ?? "unknown")}
                  onQuote={mayAct ? onQuote : null}
                />
              )}
            </li>
          ))}
        </ol>
        {isTyping ? (
          <div className={styles.typing} aria-hidden>
            <i />
            <i />
            <i />
          </div>
        ) : null}
      </div>
    </div>
  );
}

/** Says what the customer did that isn’t a message. */
function Note({ message: { bubble, new_number: number } }: { message: PhoneMessage }) {
  const path = usePath();
  const { channelId } = usePhoneName();
  return (
    <Text className={styles.note} component="div">
      {bubble.text}{" "}
      {number === undefined ? null : (
        <Anchor component={PageLink} href={path(`/phone/${channelId}/${number}`)} inherit>
          Open the phone of +{number}
        </Anchor>
      )}
    </Text>
  );
}

/** Keeps the list at its end while it grows, by messages and by pictures that load. */
function useStayAtEnd() {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = list.current;
    if (element === null) return;
    let isAtEnd = true;
    const note = () => {
      isAtEnd = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_END_PX;
    };
    const grown = new ResizeObserver(() => {
      if (isAtEnd) element.scrollTo({ top: element.scrollHeight });
    });
    element.addEventListener("scroll", note, { passive: true });
    for (const part of [element, ...element.children]) grown.observe(part);
    return () => {
      element.removeEventListener("scroll", note);
      grown.disconnect();
    };
  }, []);
  return list;
}
