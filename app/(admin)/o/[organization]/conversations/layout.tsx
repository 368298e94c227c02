import type { ReactNode } from "react";
import { OnlyFor } from "../shared/only-for";
import { Conversations } from "./conversations";

/** The list stays beside the conversation, and keeps its filters and position. */
export default function ConversationsLayout({ children }: { children: ReactNode }) {
  return (
    <OnlyFor capability="messages.read" title="Conversations">
      <Conversations />
      {children}
    </OnlyFor>
  );
}
