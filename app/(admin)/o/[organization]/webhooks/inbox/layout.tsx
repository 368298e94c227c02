import type { ReactNode } from "react";
import { OnlyFor } from "../../shared/only-for";
import { Inbox } from "./inbox";

/** The list stays as it is while a webhook of it is opened and closed. */
export default function InboxLayout({ children }: { children: ReactNode }) {
  return (
    <OnlyFor capability="webhooks.manage" title="Webhook inbox">
      <Inbox />
      {children}
    </OnlyFor>
  );
}
