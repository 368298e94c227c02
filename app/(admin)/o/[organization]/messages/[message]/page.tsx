import type { Metadata } from "next";

export const metadata: Metadata = { title: "Message" };

/** The layout shows the message that the address names. */
export default function MessagePage() {
  return null;
}
