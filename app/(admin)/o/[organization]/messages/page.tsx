import type { Metadata } from "next";

export const metadata: Metadata = { title: "Messages" };

/** The layout renders everything. */
export default function MessagesPage() {
  return null;
}
