import type { ReactNode } from "react";
import { OnlyFor } from "../../shared/only-for";
import { Inbox } from "./inbox";

/** The list keeps its state while one of its webhooks is opened and closed. */
export default function InboxLayout({ children }: { children: ReactNode }) {
  return (
    <OnlyFor capability="webhooks.manage" title="Webhook inbox">
      <Inbox />
      {children}
    </OnlyFor>
  );
}
