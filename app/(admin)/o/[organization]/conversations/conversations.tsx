"use client";

import { VisuallyHidden } from "@mantine/core";
import dynamic from "next/dynamic";
import { useParams } from "next/navigation";
import { useState } from "react";
import { Empty } from "@/app/ui/query-state";
import styles from "./conversations.module.css";
import { ConversationList } from "./conversation-list";

const ConversationPane = dynamic(() =>
  import("./conversation-pane").then((module) => module.ConversationPane),
);

/** The list and one conversation beside it. On a narrow screen, only one of them. */
export function Conversations() {
  const { conversation } = useParams<{ conversation?: string }>();
  const [isByKeyboard, setByKeyboard] = useState(false);
  return (
    <div className={styles.page} data-open={conversation === undefined ? undefined : true}>
      <ConversationList openId={conversation ?? null} onOpen={setByKeyboard} />
      <section className={styles.pane} aria-label="Conversation">
        {conversation === undefined ? (
          <div className={styles.none}>
            <Empty title="No conversation is open">Choose one from the list.</Empty>
          </div>
        ) : (
          <>
            <VisuallyHidden component="h1">Conversations</VisuallyHidden>
            <ConversationPane key={conversation} threadId={conversation} isAnswerFocused={isByKeyboard} />
          </>
        )}
      </section>
    </div>
  );
}
