import type { Metadata } from "next";

export const metadata: Metadata = { title: "Messages" };

/** All of it is in the layout. */
export default function MessagesPage() {
  return null;
}
