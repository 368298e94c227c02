import type { Metadata } from "next";

export const metadata: Metadata = { title: "Webhook inbox" };

/** All of it is in the layout. */
export default function InboxPage() {
  return null;
}
