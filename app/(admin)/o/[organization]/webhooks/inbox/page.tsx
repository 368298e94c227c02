import type { Metadata } from "next";

export const metadata: Metadata = { title: "Webhook inbox" };

/** The layout renders everything. */
export default function InboxPage() {
  return null;
}
