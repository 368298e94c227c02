import type { Metadata } from "next";

export const metadata: Metadata = { title: "Conversations" };

/** The layout renders everything. */
export default function ConversationsPage() {
  return null;
}
