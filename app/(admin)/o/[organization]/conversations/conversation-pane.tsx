"use client";

import { useQuery } from "@tanstack/react-query";
import { parseAsString, useQueryState } from "nuqs";
import { useEffect, useRef } from "react";
import { QueryState } from "@/app/ui/query-state";
import { SidePanel } from "@/app/ui/side-panel";
import { useTRPC } from "@/app/ui/trpc";
import { useMay } from "../shared/viewer";
import { Composer } from "./composer";
import { ConversationHeader } from "./conversation-header";
import { MessageDetails } from "./message-details";
import { toQuotedMessage } from "./quote";
import { Timeline } from "./timeline";
import type { Conversation, MessageEntry } from "./types";
import { useDraft } from "./use-draft";
import { useReadMark } from "./use-receipts";

const POLL_MS = 3_000;

/** One conversation: who it is with, everything that was written, and the box for an answer. */
export function ConversationPane({
  threadId,
  isAnswerFocused,
}: {
  threadId: string;
  /** Moves the focus to the box for an answer, which is far from the list for the keyboard. */
  isAnswerFocused: boolean;
}) {
  const query = useQuery(
    useTRPC().conversations.get.queryOptions({ threadId }, { refetchInterval: POLL_MS }),
  );
  return (
    <QueryState query={query}>
      {(conversation) => <Opened conversation={conversation} isAnswerFocused={isAnswerFocused} />}
    </QueryState>
  );
}

function Opened({ conversation, isAnswerFocused }: { conversation: Conversation; isAnswerFocused: boolean }) {
  const maySend = useMay()("messages.send");
  const [shownId, setShownId] = useQueryState("message", parseAsString.withOptions({ history: "push" }));
  const drafting = useDraft(conversation.id);
  useReadMark(conversation);
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (isAnswerFocused) box.current?.focus();
  }, [isAnswerFocused]);
  const reply = (entry: MessageEntry) => {
    drafting.set({ quoted: toQuotedMessage(entry, conversation) });
    // After the menu has given the focus back to its button.
    setTimeout(() => box.current?.focus());
  };
  return (
    <>
      <ConversationHeader of={conversation} />
      <Timeline
        conversation={conversation}
        onReply={maySend ? reply : null}
        onDetails={({ id }) => void setShownId(id)}
      />
      {maySend ? <Composer conversation={conversation} box={box} drafting={drafting} /> : null}
      <SidePanel
        title="Message"
        backTo="the conversation"
        isOpen={shownId !== null}
        onClose={() => void setShownId(null)}
      >
        {shownId === null ? null : <MessageDetails messageId={shownId} />}
      </SidePanel>
    </>
  );
}
