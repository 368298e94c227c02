import type { ReactNode } from "react";
import { Messages } from "./messages";

/** The list keeps its state while one of its messages is opened and closed. */
export default function MessagesLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <Messages />
      {children}
    </>
  );
}
