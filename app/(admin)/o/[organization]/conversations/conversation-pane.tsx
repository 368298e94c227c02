"use client";

import { useQuery } from "@tanstack/react-query";
import { parseAsString, useQueryState } from "nuqs";
import { useRef, useState } from "react";
import { QueryState } from "@/app/ui/query-state";
import { SidePanel } from "@/app/ui/side-panel";
import { useTRPC } from "@/app/ui/trpc";
import { useMay } from "../shared/viewer";
import { Composer } from "./composer";
import { ConversationHeader } from "./conversation-header";
import { MessageDetails } from "./message-details";
import { Timeline } from "./timeline";
import type { MessageEntry } from "./types";

const POLL_MS = 3_000;

/** One conversation: who it is with, everything that was said, and the box for an answer. */
export function ConversationPane({ threadId }: { threadId: string }) {
  const query = useQuery(
    useTRPC().conversations.get.queryOptions({ threadId }, { refetchInterval: POLL_MS }),
  );
  const may = useMay();
  const [shownId, setShownId] = useQueryState("message", parseAsString.withOptions({ history: "push" }));
  const [quoted, setQuoted] = useState<MessageEntry | null>(null);
  const box = useRef<HTMLTextAreaElement>(null);
  const onReply = (entry: MessageEntry) => {
    setQuoted(entry);
    // After the menu has given the focus back to its button.
    setTimeout(() => box.current?.focus());
  };
  return (
    <QueryState query={query}>
      {(conversation) => (
        <>
          <ConversationHeader of={conversation} />
          <Timeline
            conversation={conversation}
            onReply={may("messages.send") ? onReply : null}
            onDetails={({ id }) => void setShownId(id)}
          />
          {may("messages.send") ? (
            <Composer
              conversation={conversation}
              box={box}
              quoted={quoted}
              onUnquote={() => setQuoted(null)}
            />
          ) : null}
          <SidePanel title="Message" isOpen={shownId !== null} onClose={() => void setShownId(null)}>
            {shownId === null ? null : <MessageDetails messageId={shownId} />}
          </SidePanel>
        </>
      )}
    </QueryState>
  );
}
