import { useDocumentVisibility } from "@mantine/hooks";
import { useEffect, useRef } from "react";
import { useTRPCClient } from "@/app/ui/trpc";
import { useMay } from "../shared/viewer";
import { useOpenModes } from "./composer";
import type { Conversation } from "./types";
import type { Drafting } from "./use-draft";

/** WhatsApp shows the typing indicator for 25 seconds, or until a message arrives. */
const TYPING_RENEWED_MS = 20_000;

/**
 * Shows the customer that their newest message was read, while the conversation is open in a visible tab, and that an
 * answer is being written. Returns the draft, whose changes are typing. If it fails, the page doesn't change: the next
 * message, or the next look at the tab, tries again.
 */
export function useReceipts(conversation: Conversation, drafting: Drafting): Drafting {
  const client = useTRPCClient();
  const maySend = useMay()("messages.send");
  const { text: isWindowOpen } = useOpenModes(conversation);
  const isVisible = useDocumentVisibility() === "visible";
  const markable = maySend ? conversation.markable : null;
  const unreadId = markable === null || markable.isRead ? null : markable.messageId;
  const markedId = useRef<string | null>(null);
  const typingShownAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    // At first, the hook takes every tab for a visible one.
    if (!isVisible || document.visibilityState !== "visible") return;
    if (unreadId === null || unreadId === markedId.current) return;
    markedId.current = unreadId;
    client.messages.markRead.mutate({ id: unreadId }).catch(() => {
      markedId.current = null;
    });
  }, [client, unreadId, isVisible]);
  const showTyping = () => {
    const now = Date.now();
    if (markable === null || !isWindowOpen || now - typingShownAt.current < TYPING_RENEWED_MS) return;
    typingShownAt.current = now;
    client.messages.markRead.mutate({ id: markable.messageId, typing: true }).catch(() => undefined);
  };
  return {
    ...drafting,
    set: (part) => {
      drafting.set(part);
      if (part.body !== undefined && part.body.trim() !== "") showTyping();
    },
    empty: (mode, sent) => {
      drafting.empty(mode, sent);
      if (mode !== "note") typingShownAt.current = Number.NEGATIVE_INFINITY;
    },
  };
}
