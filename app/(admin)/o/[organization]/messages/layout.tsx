import type { ReactNode } from "react";
import { Messages } from "./messages";

/** The list stays as it is while a message of it is opened and closed. */
export default function MessagesLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <Messages />
      {children}
    </>
  );
}
