import { useDocumentVisibility } from "@mantine/hooks";
import { useEffect, useRef } from "react";
import { useTRPCClient } from "@/app/ui/trpc";
import { useMay } from "../shared/viewer";
import type { Conversation } from "./types";
import { useOpenModes } from "./use-open-modes";

/** WhatsApp shows the typing indicator for 25 seconds, or until a message arrives. */
const TYPING_RENEWED_MS = 20_000;

/**
 * Shows the customer that their newest message was read, while the conversation is open in a visible tab. If that
 * fails, the page doesn't change: the next message, or the next look at the tab, tries again.
 */
export function useReadMark({ markable }: Conversation): void {
  const client = useTRPCClient();
  const maySend = useMay()("messages.send");
  const isVisible = useDocumentVisibility() === "visible";
  const unreadId = !maySend || markable === null || markable.isRead ? null : markable.messageId;
  const markedId = useRef<string | null>(null);
  useEffect(() => {
    // At first, the hook takes every tab for a visible one.
    if (!isVisible || document.visibilityState !== "visible") return;
    if (unreadId === null || unreadId === markedId.current) return;
    markedId.current = unreadId;
    client.messages.markRead.mutate({ id: unreadId }).catch(() => {
      markedId.current = null;
    });
  }, [client, unreadId, isVisible]);
}

/** Shows the customer that an answer is being written. A failure changes nothing: typing on tries again. */
export function useTypingIndicator(conversation: Conversation) {
  const { markable } = conversation;
  const client = useTRPCClient();
  const { text: isWindowOpen } = useOpenModes(conversation);
  const shownAt = useRef(Number.NEGATIVE_INFINITY);
  return {
    show: () => {
      const now = Date.now();
      if (markable === null || !isWindowOpen || now - shownAt.current < TYPING_RENEWED_MS) return;
      shownAt.current = now;
      client.messages.markRead.mutate({ id: markable.messageId, typing: true }).catch(() => undefined);
    },
    /** WhatsApp has ended it, because a message was sent: the next text shows it again. */
    end: () => {
      shownAt.current = Number.NEGATIVE_INFINITY;
    },
  };
}
